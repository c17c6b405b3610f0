import { z } from "zod";
import { defineTool } from "../../../../src/author.ts";

export default defineTool({
  id: "zod",
  description: "Repeats a text",
  input: z.object({
    text: z.string().describe("What to repeat"),
    times: z.string().default("2").transform(Number),
  }),
  output: z.object({ text: z.string(), times: z.number().optional() }),
  handler: ({ text, times }) => ({ text: text.repeat(times), times }),
});
