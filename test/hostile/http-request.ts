import { TOKEN } from "../contract/target.ts";

const CRLF = "\r\n";

/** What a call's request differs in from a sound one. All text is one byte a character. */
export interface Shape {
  /** @default a call's request line */
  start?: string;
  /** `null` leaves the line out. */
  host?: string | null;
  token?: string | null;
  type?: string | null;
  /** The lines that tell the body's length. @default its content-length */
  framing?: readonly string[];
  /** Lines after all others. */
  lines?: readonly string[];
  /** @default the call's message */
  body?: string;
  /** Asks for the connection to stay. */
  keep?: boolean;
}

/** The message of a call; its id comes back as its output, and stands in the record that the tool writes. */
export function message(id: string, waitMs = 0): string {
  const ctx = { tenantId: "tenant-1", runId: "run-1", requestId: id };
  return JSON.stringify({
    v: 2,
    kind: "invoke",
    tool: { id: "noted" },
    input: { id, waitMs },
    ctx,
  });
}

/** The bytes of one call, as latin1 text. */
export function call(id: string, shape: Shape = {}): string {
  const body = shape.body ?? message(id);
  const { start = "POST /v1/invoke HTTP/1.1", host = "pack.test", token = TOKEN } = shape;
  const { type = "application/json", framing = [`content-length: ${body.length}`] } = shape;
  const lines = [
    start,
    ...(host === null ? [] : [`host: ${host}`]),
    ...(token === null ? [] : [`kindgi-pack-token: ${token}`]),
    ...(type === null ? [] : [`content-type: ${type}`]),
    ...framing,
    ...(shape.lines ?? []),
    ...(shape.keep ? [] : ["connection: close"]),
  ];
  return lines.join(CRLF) + CRLF + CRLF + body;
}

export function get(path: string, lines: readonly string[] = [], method = "GET"): string {
  return [`${method} ${path} HTTP/1.1`, "host: pack.test", ...lines, "", ""].join(CRLF);
}

export const CHUNKED = ["transfer-encoding: chunked"];

/** A chunk of a body, its size line as it should be or as given. */
export function chunk(data: string, sizeLine = data.length.toString(16)): string {
  return sizeLine + CRLF + data + CRLF;
}

/** A body in chunks of a size. */
export function chunks(body: string, size = 64): string {
  let framed = "";
  for (let at = 0; at < body.length; at += size) framed += chunk(body.slice(at, at + size));
  return `${framed}0${CRLF}${CRLF}`;
}
