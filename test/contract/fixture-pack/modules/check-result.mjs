export default {
  kind: "ok",
  value: { evaluate: () => ({ passed: true, shape: "ok(default).evaluate" }) },
};
