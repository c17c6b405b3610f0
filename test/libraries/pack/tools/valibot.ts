import * as v from "valibot";
import { defineTool } from "../../../../src/author.ts";

export default defineTool({
  id: "valibot",
  input: v.object({
    text: v.pipe(v.string(), v.description("What to repeat")),
    times: v.pipe(v.optional(v.string(), "2"), v.transform(Number)),
  }),
  output: v.object({ text: v.string(), times: v.optional(v.number()) }),
  handler: async ({ text, times }) => ({ text: text.repeat(times), times }),
});
