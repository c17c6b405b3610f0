export default () => ({ passed: true, shape: "default" });
