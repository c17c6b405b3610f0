import { z } from "zod";
import { defineCheck } from "../../../../src/author.ts";

export default defineCheck({
  id: "zod-check",
  config: z.object({ word: z.string().min(1), times: z.string().default("1").transform(Number) }),
  settings: { word: "no" },
  evaluate: ({ word }, trace) => ({ passed: !JSON.stringify(trace).includes(word) }),
});
