import { z } from "zod";

/** A function export that carries its model, and a module-level one. */
const run = (input) => input;
run.inputZod = z.object({ count: z.number().default(3) });

export { run };
