export const evaluate = {
  shape: "evaluate.evaluate",
  evaluate() {
    return { passed: true, shape: this.shape };
  },
};
