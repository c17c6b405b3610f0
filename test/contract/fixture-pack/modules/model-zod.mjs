import { z } from "zod";

export const inputZod = z.object({
  amount: z.coerce.number().positive(),
  currency: z.string().default("EUR"),
  "a/b~c": z.array(z.string().transform((text) => text.toUpperCase())).optional(),
});

export default { inputZod, handler: (input) => input };
