import { Type } from "typebox";
import { defineTool } from "../../../../src/author.ts";

export default defineTool({
  id: "typebox",
  input: Type.Object({ text: Type.String(), times: Type.Number({ default: 2 }) }),
  output: Type.Object({ text: Type.String(), times: Type.Optional(Type.Number()) }),
  handler: ({ text, times }) => ({ text: text.repeat(times), times }),
});
