import { serve } from "srvx/node";

const { default: worker } = await import(process.argv[2]);
const server = serve({
  fetch: (request) => worker.fetch(request),
  hostname: "127.0.0.1",
  port: 0,
  silent: true,
  gracefulShutdown: false,
});
await server.ready();
process.stdout.write(`listening on ${new URL(server.url).port}\n`);
