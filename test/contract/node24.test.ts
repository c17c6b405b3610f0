import { processTarget } from "./process.ts";
import { runContract } from "./run-contract.ts";

runContract(processTarget("node24"));
