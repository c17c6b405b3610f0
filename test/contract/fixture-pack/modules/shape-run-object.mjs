export const run = {
  shape: "run.handler",
  handler() {
    return { shape: this.shape };
  },
};
