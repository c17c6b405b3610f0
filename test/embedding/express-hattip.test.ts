import { runEmbedding } from "./run-embedding.ts";

runEmbedding("express-hattip");
