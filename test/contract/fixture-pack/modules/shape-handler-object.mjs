export const handler = {
  shape: "handler.run",
  run() {
    return { shape: this.shape };
  },
};
