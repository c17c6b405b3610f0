import { afterAll } from "vitest";
import { runContract } from "../contract/run-contract.ts";
import { embeddedTarget } from "./embedded.ts";
import { wayOf } from "./ways.ts";

/** Puts the contract to the documentation's example of a way of embedding. */
export function runEmbedding(name: string): void {
  const target = embeddedTarget(wayOf(name));
  afterAll(() => target.end());
  runContract(target);
}
