import { type } from "arktype";
import { defineTool } from "../../../../src/author.ts";

export default defineTool({
  id: "arktype",
  input: type({ text: "string", times: "number = 2" }),
  output: type({ text: "string", "times?": "number" }),
  handler: ({ text, times }) => ({ text: text.repeat(times), times }),
});
