import { defineCheck } from "pack-handler/author";

export default defineCheck({
  id: "short-run",
  name: "Keeps the run short",
  severity: "low",
  action: "warn",
  config: {
    type: "object",
    properties: { maxLength: { type: "integer", minimum: 1 } },
    required: ["maxLength"],
    additionalProperties: false,
  },
  settings: { maxLength: 500 },
  evaluate({ maxLength }, trace) {
    const { length } = JSON.stringify(trace);
    return length <= maxLength
      ? { passed: true }
      : { passed: false, reason: `The run's trace has ${length} characters, over ${maxLength}` };
  },
});
