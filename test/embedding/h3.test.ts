import { runEmbedding } from "./run-embedding.ts";

runEmbedding("h3");
