import { snippet } from "./snippets.ts";

/** How an example is changed to see what an app around the pack does to it. */
export interface Mounting {
  way: string;
  /** The line of the example that mounts the pack. */
  mount: RegExp;
  /** Mounts the same pack once more, under `/packs/other`. */
  second?: string;
  /** Reads the body of a request before the pack gets it, by what the framework has for it. */
  parser?: string;
  /** Throws on `/packs/hello/fails`, before the pack gets it. */
  thrower?: string;
  /** What such a throw comes to. @default 500 */
  thrownStatus?: number;
  /** Whether a path with a slash at its end is sent to the one without. */
  redirectsSlashes?: true;
  /** Where reading the body takes another way of mounting: what replaces the example's. */
  parsedMount?: string;
  /** What replaces the example's mount where nothing can be put ahead of it. */
  changedMount?: string;
}

/** The example with a second pack, and with middleware ahead that throws on one path. */
export function changedExample(code: string, { mount, second, thrower, changedMount }: Mounting) {
  return replaceMount(code, mount, (line) => changedMount ?? [thrower, line, second].join("\n"));
}

/** The example, its requests' bodies read before the pack gets them. */
export function parsedExample(code: string, { mount, parser, parsedMount }: Mounting) {
  return replaceMount(code, mount, (line) => parsedMount ?? [parser, line].join("\n"));
}

function replaceMount(code: string, mount: RegExp, replacement: (line: string) => string): string {
  if (!mount.test(code)) throw new Error(`no line of the example is ${mount}:\n${code}`);
  return code.replace(mount, replacement);
}

const SECOND_HANDLER =
  'const other = createPackHandler(index, modules, { ...options, basePath: "/packs/other" });';
const NODE_THROWER =
  'app.use((req, res, next) => next(req.url.endsWith("/fails") ? new Error("thrown ahead") : undefined));';

/** Leads requests to two packs by their paths, where nothing else does. */
const router = (pack: string) => `${SECOND_HANDLER}
const route = (request) => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/fails")) throw new Error("thrown ahead");
  if (pathname.startsWith("/packs/hello/")) return ${pack}(request);
  if (pathname.startsWith("/packs/other/")) return other(request);
  return new Response("not found", { status: 404 });
};`;

/** Reads the body of a request where no library does. */
const reader = (pack: string) => `const read = async (request) => {
  await request.json();
  return ${pack}(request);
};`;

const express = {
  mount: /^app\.use\("\/packs\/hello".*$/m,
  parser: "app.use(express.json());",
  thrower: NODE_THROWER,
};

export const MOUNTINGS: readonly Mounting[] = [
  {
    way: "express",
    ...express,
    second: 'app.use("/packs/other", createPackMiddleware(index, modules, options));',
  },
  {
    way: "express-srvx",
    ...express,
    second: 'app.use("/packs/other", toNodeHandler(createPackHandler(index, modules, options)));',
  },
  {
    way: "express-hattip",
    ...express,
    second: `app.use("/packs/other", createMiddleware(
      createPackHattipHandler(index, modules, options), { alwaysCallNext: false }));`,
  },
  {
    way: "connect",
    mount: /^app\.use\("\/packs\/hello".*$/m,
    second: 'app.use("/packs/other", createPackMiddleware(index, modules, options));',
    parser: 'app.use((await import("body-parser")).default.json());',
    thrower: NODE_THROWER,
  },
  {
    way: "fastify",
    mount: /^app\.addHook.*$/m,
    second: `const other = createPackMiddleware(index, modules, { ...options, basePath: "/packs/other" });
app.addHook("onRequest", ({ raw }, reply, next) => other(raw, reply.raw, next));`,
    parsedMount: `app.all("/packs/hello/*", ({ raw }, reply) => {
  reply.hijack();
  hello(raw, reply.raw);
});`,
    thrower: `app.addHook("onRequest", async ({ url }) => {
  if (url.endsWith("/fails")) throw new Error("thrown ahead");
});`,
  },
  {
    way: "hono",
    mount: /^app\.mount.*$/m,
    second: `${SECOND_HANDLER}
app.mount("/packs/other", other, { replaceRequest: false });`,
    parser: `app.use(async ({ req }, next) => {
  await req.json();
  await next();
});`,
    thrower: `app.use(async ({ req }, next) => {
  if (req.path.endsWith("/fails")) throw new Error("thrown ahead");
  await next();
});`,
  },
  {
    way: "h3",
    mount: /^app\.all.*$/m,
    second: `${SECOND_HANDLER}
app.all("/packs/other/**", ({ req }) => other(req));`,
    parser: `const { readBody } = await import("h3");
app.use(async (event, next) => {
  await readBody(event);
  return next();
});`,
    thrower: `app.use(({ url }, next) => {
  if (url.pathname.endsWith("/fails")) throw new Error("thrown ahead");
  return next();
});`,
  },
  {
    way: "hattip",
    mount: /^createServer.*$/m,
    parsedMount: `createServer(
  compose(async ({ request }) => void (await request.text()), hello, () => new Response()),
).listen(8080);`,
    changedMount: `const other = createPackHattipHandler(index, modules, { ...options, basePath: "/packs/other" });
const thrower = ({ url }) => {
  if (url.pathname.endsWith("/fails")) throw new Error("thrown ahead");
};
createServer(
  compose(thrower, hello, other, () => new Response("not found", { status: 404 })),
).listen(8080);`,
  },
  {
    way: "elysia",
    mount: /^ {2}\.all.*$/m,
    second: `  .all("/packs/other/*", ({ request }) =>
    createPackHandler(index, modules, { ...options, basePath: "/packs/other" })(request), { parse: "none" })`,
    parsedMount: `  .all("/packs/hello/*", ({ request, body }) => handler(request, body))`,
    thrower: `  .onBeforeHandle(({ request }) => {
    if (request.url.endsWith("/fails")) throw new Error("thrown ahead");
  })`,
  },
  {
    way: "next",
    mount: /^const handler = [^]*$/m,
    redirectsSlashes: true,
    parsedMount: `const pack = createPackHandler(index, modules, { ...options, basePath: "/packs/hello" });
export async function POST(request) {
  await request.json();
  return pack(request);
}
`,
    changedMount: `const pack = createPackHandler(index, modules, { ...options, basePath: "/packs/hello" });
const handler = (request) => {
  if (request.url.endsWith("/fails")) throw new Error("thrown ahead");
  return pack(request);
};
export { handler as GET, handler as POST };
${snippet("next").replaceAll("hello", "other")}`,
  },
  {
    way: "bun",
    mount: /^ {2}routes: .*$/m,
    parsedMount: `  routes: {
    "/packs/hello/*": async (request) => {
      await request.json();
      return handler(request);
    },
  },`,
    changedMount: `  routes: {
    "/packs/hello/fails": () => { throw new Error("thrown ahead"); },
    "/packs/hello/*": (request) => handler(request),
    "/packs/other/*": createPackHandler(index, modules, { ...options, basePath: "/packs/other" }),
  },`,
  },
  {
    way: "deno",
    mount: /^Deno\.serve.*$/m,
    parsedMount: `${reader("handler")}
Deno.serve({ port: 8080 }, read);`,
    changedMount: `${router("handler")}
Deno.serve({ port: 8080 }, route);`,
  },
  {
    way: "lambda",
    mount: /^export const handler.*$/m,
    thrownStatus: 502,
    parsedMount: `${reader("fetch")}
export const handler = toLambdaHandler({ fetch: read });`,
    changedMount: `${router("fetch")}
export const handler = toLambdaHandler({ fetch: route });`,
  },
];
