// The ledger on Deno Deploy: this file is its entry point, after
// npx pack-handler compile --index index.json --out dist/worker.mjs
import worker from "./dist/worker.mjs";

Deno.serve((request) => worker.fetch(request));
