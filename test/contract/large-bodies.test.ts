import { describe, test } from "vitest";
import { expectAnswered, largeBodies } from "./cases/json.ts";
import { inProcess } from "./in-process.ts";

describe("a body of 10 MiB is answered in-process", () => {
  const started = inProcess.start({});
  test.each(largeBodies.map((body) => [body.id, body] as const))("%s", async (_id, body) => {
    await expectAnswered(await started, body);
  });
});
