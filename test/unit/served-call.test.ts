import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import { expect, test } from "vitest";
import type { CallScope } from "../../src/call-scope.ts";
import type { Call } from "../../src/message.ts";
import type { Recorder } from "../../src/records.ts";
import { ServedCall } from "../../src/served-call.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

test("a call doesn't keep its message, which its pack code is long done with", async () => {
  const request = new Request("http://localhost/v1/invoke", { method: "POST" });
  const served = new ServedCall(request, {} as CallScope, {} as Recorder);
  const input = new WeakRef(accept(served));
  // A WeakRef keeps its target until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(input.deref()).toBeUndefined();
  expect(served.ids).toMatchObject({ toolId: "add", tenantId: "t1", runId: "r1" });
});

function accept(served: ServedCall): object {
  const input = { documents: [{}] };
  const ctx = { tenantId: "t1", runId: "r1", secrets: { key: "abc" } };
  const message: Call = { target: "tool", id: "add", version: undefined, input, ctx };
  served.accept(message);
  return input;
}
