import { defineTool } from "../../../../src/author.ts";

export default defineTool({
  id: "json-schema",
  input: {
    type: "object",
    properties: { text: { type: "string" }, times: { type: "integer", default: 2 } },
    required: ["text"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: { text: { type: "string" }, times: { type: "number" } },
    required: ["text"],
    additionalProperties: false,
  },
  handler: ({ text, times }) => ({ text: text.repeat(times), times }),
});
