import { Front } from "../../adapters/dev/front.ts";
import { Upstream } from "../../adapters/dev/upstream.ts";
import { processTarget } from "./process.ts";
import type { Relay } from "./process.ts";
import { runContract } from "./run-contract.ts";

/** What stands before the services of `pack-handler dev` must not be seen. */
async function relay(port: number): Promise<Relay> {
  const front = await Front.listen({ host: "127.0.0.1", port: 0 });
  front.upstream = new Upstream(port);
  return { port: front.address.port, close: () => front.close() };
}

// What §7 says of a process is said of the service behind it, which has its own address and its own end.
runContract(processTarget("node20", { relay }), ({ id }) => !id.startsWith("7-"));
