import { runHostileHttp } from "./http-run.ts";

runHostileHttp("node20");
