import { edgeTarget } from "./edge.ts";
import { runContract } from "./run-contract.ts";

runContract(edgeTarget("workerd"));
