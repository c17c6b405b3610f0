const headers = { "content-type": "application/json" };

/** The bare fetch handler of the runtimes that serve one themselves. */
export function fetchHandler(answer) {
  return async (request) => new Response(await answer(await request.text()), { headers });
}
