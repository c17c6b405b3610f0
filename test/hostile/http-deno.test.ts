import { runHostileHttp } from "./http-run.ts";

runHostileHttp("deno");
