export default {
  check: {
    shape: "default.check.evaluate",
    evaluate() {
      return { passed: true, shape: this.shape };
    },
  },
};
