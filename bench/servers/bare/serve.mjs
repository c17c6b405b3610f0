const runtime = ["Bun", "Deno"].find((name) => name in globalThis)?.toLowerCase() ?? "node";

/** Serves `answer`, text to text, by nothing but the runtime's own HTTP server. */
export const { serve } = await import(`./${runtime}.mjs`);
