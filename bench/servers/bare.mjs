// The floor of a call: parse, run the tool, stringify. Nothing is checked.
import { serve } from "./bare/serve.mjs";
import { resultOf } from "./tool.mjs";

serve(async (text) => JSON.stringify(await resultOf(JSON.parse(text).input)));
