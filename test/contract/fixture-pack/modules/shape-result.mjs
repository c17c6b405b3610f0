export default {
  kind: "ok",
  value: {
    shape: "ok(default).handler",
    handler() {
      return { shape: this.shape };
    },
  },
};
