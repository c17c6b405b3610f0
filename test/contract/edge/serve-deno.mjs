const { default: worker } = await import(Deno.args[0]);
Deno.serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => console.log(`listening on ${port}`),
  },
  worker.fetch,
);
