const { default: worker } = await import(process.argv[2]);
const server = Bun.serve({ ...worker, hostname: "127.0.0.1", port: 0, idleTimeout: 0 });
process.stdout.write(`listening on ${server.port}\n`);
