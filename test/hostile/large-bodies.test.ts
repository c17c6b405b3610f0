import { processTarget } from "../contract/process.ts";
import { isOfOrdinarySize, runContract } from "../contract/run-contract.ts";

for (const name of ["node20", "bun", "deno"] as const) {
  runContract(processTarget(name), (case_) => !isOfOrdinarySize(case_));
}
