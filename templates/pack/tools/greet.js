import { defineTool } from "pack-handler/author";

export default defineTool({
  id: "greet",
  version: "1.0.0",
  description: "Greets someone by name",
  mutating: false,
  input: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1, description: "Who is greeted" },
      greeting: { type: "string", default: "Hello" },
    },
    required: ["name"],
    additionalProperties: false,
  },
  output: { type: "string" },
  handler({ name, greeting }, ctx) {
    ctx.log.info("greeting", { length: name.length });
    return `${greeting}, ${name}!`;
  },
});
