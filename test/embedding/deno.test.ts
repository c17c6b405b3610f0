import { runEmbedding } from "./run-embedding.ts";

runEmbedding("deno");
