export default {
  shape: "default.evaluate",
  evaluate() {
    return { passed: true, shape: this.shape };
  },
};
