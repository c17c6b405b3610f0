import { processTarget } from "./process.ts";
import { isOfOrdinarySize, runContract } from "./run-contract.ts";

runContract(processTarget("node24"), isOfOrdinarySize);
