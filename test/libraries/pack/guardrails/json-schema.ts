import { defineCheck } from "../../../../src/author.ts";

export default defineCheck({
  id: "json-schema-check",
  config: {
    type: "object",
    properties: { word: { type: "string" } },
    required: ["word"],
    additionalProperties: false,
  },
  action: "warn",
  evaluate: ({ word }, trace: { response: string }) => ({ passed: !trace.response.includes(word) }),
});
