import { inProcess } from "./in-process.ts";
import { runContract } from "./run-contract.ts";

runContract(inProcess);
