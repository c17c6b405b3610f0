export default {
  shape: "default.handler",
  handler() {
    return { shape: this.shape };
  },
};
