import { TOKEN } from "../contract/target.ts";
import { CHUNKED, call, chunk, chunks, get, message } from "./http-request.ts";
import type { Shape } from "./http-request.ts";

/** One connection's worth of bytes, and what may come of it. */
export interface HostileInput {
  kind: string;
  name: string;
  /** Bytes as latin1 text, each step a packet; `answer` waits until something has come back. */
  steps: readonly string[];
  /**
   * How it ends once all is written, or (`leave`) once what is expected has come.
   * @default half-closed once what is expected has come
   */
  ending?: "hang-up" | "half-close" | "leave";
  /** The accepted outcomes; `""` is a close without a word. */
  outcomes: readonly string[];
  methods?: readonly string[];
  /** Whether a call may have run although its answer was lost: it was whole before the caller went. */
  losesAnswers?: true;
}

type Draft = Omit<HostileInput, "kind">;

const CRLF = "\r\n";
const LIMIT = 10_485_760;
const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => byte);
/** One byte for each that is treated alike: few letters, digits and bytes over 0x7f, all others. */
const BYTES = ALL_BYTES.filter((byte) =>
  byte > 127
    ? [0x80, 0x85, 0xa0, 0xad, 0xff].includes(byte) || byte % 8 === 3
    : !/[b-zB-Z1-9]/.test(String.fromCharCode(byte)),
);

/** Not read as a request at all. */
const REFUSED = ["refused", ""];

let last = 0;
function fresh(prefix = "call"): string {
  last += 1;
  return `${prefix}-${String(last).padStart(5, "0")}`;
}

/** A call that must never run, wherever it stands. */
function smuggled(): string {
  return call(fresh("smuggled"));
}

const hex = (byte: number) => byte.toString(16).padStart(2, "0");
const show = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);

/** A call that differs from a sound one; `ok` among the outcomes stands for its own answer. */
function variant(name: string, shape: Shape, outcomes: readonly string[]): Draft {
  const id = fresh();
  return {
    name,
    steps: [call(id, shape.body === undefined ? { ...shape, body: message(id) } : shape)],
    outcomes: outcomes.map((outcome) => (outcome === "ok" ? `ok:${id}` : outcome)),
  };
}

/** A call whose body is framed by the given function. */
function framed(
  name: string,
  frame: (body: string) => string,
  outcomes: readonly string[],
  shape: Shape = {},
): Draft {
  const id = fresh();
  return {
    name,
    steps: [call(id, { framing: CHUNKED, ...shape, body: frame(message(id)) })],
    outcomes: outcomes.map((outcome) => (outcome === "ok" ? `ok:${id}` : outcome)),
  };
}

// A request that breaks off

function cuts(ending: "hang-up" | "half-close", toBytes: (id: string) => string): Draft[] {
  const { length } = toBytes(fresh());
  return Array.from({ length }, (_, at) => ({
    name: `${length - at} bytes short`,
    steps: [toBytes(fresh()).slice(0, at)],
    ending,
    outcomes: [...REFUSED, "cancelled"],
  }));
}

const withLength = (id: string) => call(id);
const inChunks = (id: string, keep = false) =>
  call(id, { framing: CHUNKED, body: chunks(message(id)), keep });
/** To Bun, a body is whole before its last line has come: a close then may overtake the answer. */
const keptInChunks = (id: string) => inChunks(id, true);

function splits(): Draft[] {
  return [withLength, inChunks].flatMap((toBytes) => {
    const { length } = toBytes(fresh());
    return Array.from({ length: Math.floor(length / 5) }, (_, nth) => {
      const id = fresh();
      const bytes = toBytes(id);
      const at = 1 + nth * 5;
      return {
        name: `${toBytes.name} at ${at}`,
        steps: [bytes.slice(0, at), bytes.slice(at)],
        outcomes: [`ok:${id}`],
      };
    });
  });
}

function trickles(): Draft[] {
  return [withLength, keptInChunks].map((toBytes) => {
    const id = fresh();
    return { name: toBytes.name, steps: toBytes(id).split(""), outcomes: [`ok:${id}`] };
  });
}

function wholeThenGone(): Draft[] {
  return (["hang-up", "half-close"] as const).flatMap((ending) =>
    [withLength, inChunks].map((toBytes) => {
      const id = fresh();
      return {
        name: `${toBytes.name}, ${ending}`,
        steps: [toBytes(id)],
        ending,
        outcomes: [`ok:${id}`, "cancelled", ""],
        losesAnswers: true as const,
      };
    }),
  );
}

// Several requests on a connection

interface Part {
  name: string;
  method: string;
  word: string;
  bytes(keep: boolean): string;
}

const closing = (keep: boolean) => (keep ? [] : ["connection: close"]);

function parts(): Part[] {
  const slow = fresh();
  const quick = fresh();
  const post = { method: "POST" };
  const inner = () => ({ body: smuggled() });
  return [
    {
      ...post,
      name: "a slow call",
      word: `ok:${slow}`,
      bytes: (keep) => call(slow, { keep, body: message(slow, 20) }),
    },
    {
      ...post,
      name: "a chunked call",
      word: `ok:${quick}`,
      bytes: (keep) => call(quick, { keep, framing: CHUNKED, body: chunks(message(quick)) }),
    },
    {
      ...post,
      name: "a wrong token",
      word: "401",
      bytes: (keep) => call("", { ...inner(), keep, token: "x" }),
    },
    {
      ...post,
      name: "a wrong path",
      word: "404",
      bytes: (keep) => call("", { ...inner(), keep, start: "POST /v1/nothing HTTP/1.1" }),
    },
    {
      ...post,
      name: "a wrong method",
      word: "405",
      bytes: (keep) => call("", { ...inner(), keep, start: "PUT /v1/invoke HTTP/1.1" }),
    },
    {
      ...post,
      name: "a wrong type",
      word: "415",
      bytes: (keep) => call("", { ...inner(), keep, type: "text/plain" }),
    },
    {
      ...post,
      name: "no message",
      word: "malformed-message",
      bytes: (keep) => call("", { ...inner(), keep }),
    },
    {
      ...post,
      name: "a wrong token, in chunks",
      word: "401",
      bytes: (keep) =>
        call("", { keep, token: "x", framing: CHUNKED, body: chunks(smuggled(), 1_000) }),
    },
    { name: "health", method: "GET", word: "200", bytes: (keep) => get("/healthz", closing(keep)) },
    {
      name: "a head",
      method: "HEAD",
      word: "200",
      bytes: (keep) => get("/readyz", closing(keep), "HEAD"),
    },
  ];
}

function pipeline(chosen: readonly Part[]): Draft {
  const bytes = chosen.map((part, at) => part.bytes(at < chosen.length - 1));
  return {
    name: chosen.map(({ name }) => name).join(", "),
    steps: [bytes.join("")],
    outcomes: [chosen.map(({ word }) => word).join(" ")],
    methods: chosen.map(({ method }) => method),
  };
}

function pipelines(): Draft[] {
  const count = parts().length;
  const pairs = Array.from({ length: count * count }, (_, nth) => {
    const [first, second] = [parts()[nth % count], parts()[Math.floor(nth / count)]];
    return pipeline([first as Part, second as Part]);
  });
  const long = Array.from({ length: 30 }, () => parts()[0] as Part);
  return [
    ...pairs,
    pipeline(parts()),
    pipeline([...parts(), ...parts().toReversed()]),
    pipeline(long),
  ];
}

/** A sound call, then something broken: the first must be answered, the second must not pass for it. */
function brokenFollowers(): Draft[] {
  return ["\x00\x01\x02", "GET", "NOT HTTP", "POST / HTTP/1.1\r\na b: c"].map((broken) => {
    const id = fresh();
    return {
      name: show(broken),
      steps: [call(id, { keep: true }), "answer", `${broken}\r\n\r\n`],
      outcomes: [`ok:${id} refused`, `ok:${id}`],
    };
  });
}

/** Broken bytes in the packet of a sound call: the call is answered all the same. */
function brokenTails(): Draft[] {
  return [CRLF, "\x00\x01", "GET", "NOT HTTP\r\n\r\n", "POST / HTTP/1.1\r\na b: c\r\n\r\n"].flatMap(
    (tail) =>
      [0, 20].map((waitMs) => {
        const id = fresh();
        return {
          name: `${show(tail)} behind ${waitMs === 0 ? "a quick" : "a slow"} call`,
          steps: [call(id, { keep: true, body: message(id, waitMs) }) + tail],
          outcomes: [`ok:${id} refused`, `ok:${id}`],
        };
      }),
  );
}

/** Behind a request that asks for the connection to close, nothing counts. */
function afterClose(): Draft[] {
  return [CRLF, "\x00\x01", "GET", "NOT HTTP\r\n\r\n", smuggled()].flatMap((tail) =>
    [0, 20].map((waitMs) => {
      const id = fresh();
      return {
        name: `${show(tail)} behind ${waitMs === 0 ? "a quick" : "a slow"} call`,
        steps: [call(id, { body: message(id, waitMs) }) + tail],
        outcomes: [`ok:${id}`],
      };
    }),
  );
}

// Expect

function expectations(): Draft[] {
  const expected = { lines: ["expect: 100-continue"] };
  const waiting = (shape: Shape, word: string): Draft => {
    const id = fresh();
    const bytes = call(id, { ...expected, ...shape });
    const at = bytes.indexOf(CRLF + CRLF) + 4;
    return {
      name: `${word}, waits for the 100`,
      steps: [bytes.slice(0, at), "answer", bytes.slice(at)],
      outcomes: [`100 ${word === "ok" ? `ok:${id}` : word}`],
    };
  };
  const refusals: [string, Shape][] = [
    ["401", { token: "x" }],
    ["404", { start: "POST /nothing HTTP/1.1" }],
    ["405", { start: "PUT /v1/invoke HTTP/1.1" }],
    ["415", { type: "text/plain" }],
    ["413", { framing: [`content-length: ${LIMIT + 1}`] }],
  ];
  const headOnly = refusals.flatMap(([word, shape]) =>
    [expected.lines, []].map((lines) => {
      const bytes = call("", { framing: ["content-length: 5000"], ...shape, lines, body: "" });
      const kind = lines.length > 0 ? "expectation" : "body outstanding";
      return { name: `${word}, ${kind}`, steps: [bytes], outcomes: [word, `100 ${word}`] };
    }),
  );
  const atOnce = refusals.slice(0, 4).map(([word, shape]) => ({
    name: `${word}, body at once`,
    steps: [call("", { ...expected, ...shape, body: smuggled() })],
    outcomes: [word, `100 ${word}`],
  }));
  const id = fresh();
  return [
    waiting({}, "ok"),
    ...headOnly,
    ...atOnce,
    {
      name: "ok, body at once",
      steps: [call(id, expected)],
      outcomes: [`ok:${id}`, `100 ok:${id}`],
    },
    ...["200-ok", "100-continue, x", "", "100-CONTINUE"].map((value) => {
      const other = fresh();
      return {
        name: `unknown ${show(value)}`,
        steps: [call(other, { lines: [`expect: ${value}`] })],
        outcomes: [`ok:${other}`, `100 ok:${other}`, ...REFUSED],
      };
    }),
    variant("on HTTP/1.0", { ...expected, start: "POST /v1/invoke HTTP/1.0" }, [
      "ok",
      "refused",
      "",
    ]),
  ];
}

// The length of a body

const EMPTY = /:\s*$/;

/** Two ways to tell where the body ends; by either, a call stands behind the end of the other. */
function twoLengths(): Draft[] {
  const codings = [
    "chunked",
    "Chunked",
    "chunked, chunked",
    "chunked, identity",
    "identity, chunked",
    "gzip, chunked",
    "identity",
    "xchunked",
    "chunked;q=1",
    '"chunked"',
    "chunked\x0b",
    "\x0bchunked",
    "",
  ];
  const names = ["transfer-encoding: ", "transfer-encoding:\t", "Transfer-Encoding:"];
  const lines = codings.flatMap((coding) => names.map((name) => name + coding));
  const odd = ["transfer-encoding : chunked", "transfer_encoding: chunked\r\n x: y"];
  return [...lines, ...odd].flatMap((line) =>
    [false, true].map((lengthFirst) => {
      const body = `0${CRLF}${CRLF}${smuggled()}`;
      const length = `content-length: ${body.length}`;
      return {
        name: `${show(line)}, length ${lengthFirst ? "first" : "last"}`,
        steps: [call("", { framing: lengthFirst ? [length, line] : [line, length], body })],
        // RFC 9110, 5.6.1: an empty list says nothing.
        outcomes: EMPTY.test(line) ? ["malformed-message", ...REFUSED] : REFUSED,
      };
    }),
  );
}

function codings(): Draft[] {
  const sound = ["chunked", "Chunked", "CHUNKED"];
  const broken = ["identity", "xchunked", "chunked, identity", "gzip", "chunk", "chunked, chunked"];
  return [
    ...sound.map((coding) =>
      framed(show(coding), chunks, ["ok"], { framing: [`transfer-encoding: ${coding}`] }),
    ),
    ...broken.map((coding) =>
      framed(show(coding), (body) => chunks(body) + smuggled(), REFUSED, {
        framing: [`transfer-encoding: ${coding}`],
      }),
    ),
    framed("twice", (body) => chunks(body) + smuggled(), REFUSED, {
      framing: [...CHUNKED, ...CHUNKED],
    }),
    // RFC 9112, 6.1: it may be read so, if the connection is closed behind it.
    framed("on HTTP/1.0", (body) => chunks(body) + smuggled(), ["ok", ...REFUSED], {
      framing: CHUNKED,
      start: "POST /v1/invoke HTTP/1.0",
    }),
  ];
}

function lengths(): Draft[] {
  const n = message(fresh()).length;
  const both = (a: unknown, b: unknown) => [`content-length: ${a}`, `content-length: ${b}`];
  const one = (value: string) => [`content-length: ${value}`];
  const broken = [
    both(n, n + 1),
    both(n, 0),
    both(0, n),
    both(n, ""),
    both(n, "x"),
    ...[`${n}, 0`, `+${n}`, `-${n}`, `-0`, `0x${n.toString(16)}`, `${n}.0`].map(one),
    ...[`${n}e0`, `${n} 0`, `${n};`, "", "x", `"${n}"`, `1${"0".repeat(30)}`, `${n}\x0b`].map(one),
    ...["18446744073709551616", `${2n ** 64n + BigInt(n)}`, `\x85${n}`, `\xa0${n}`].map(one),
  ];
  const ways = broken.map((framing) => ({
    name: show(framing.join(CRLF)),
    steps: [call(fresh(), { framing, keep: true }) + smuggled()],
    outcomes: REFUSED,
  }));
  return [
    ...ways,
    // RFC 9112, 6.3: the same number again may be taken for one.
    variant("twice", { framing: both(n, n) }, ["ok", ...REFUSED]),
    variant("twice, zero before", { framing: both(n, `0${n}`) }, ["ok", ...REFUSED]),
    variant("twice in a line", { framing: one(`${n}, ${n}`) }, ["ok", ...REFUSED]),
    variant("spaces around", { framing: one(`  ${n}  `) }, ["ok"]),
    variant("leading zeros", { framing: one(`00${n}`) }, ["ok"]),
    variant("none", { framing: [], body: "" }, ["malformed-message"]),
  ];
}

/** A declared length that ends within or behind the message. */
function wrongLengths(): Draft[] {
  return [1, 2, 10, 50].map((missing) => {
    const body = message(fresh("smuggled"));
    const framing = [`content-length: ${body.length - missing}`];
    return {
      name: `${missing} too short`,
      steps: [call("", { body, framing, keep: true }), CRLF + CRLF],
      outcomes: ["malformed-message refused", "malformed-message", ...REFUSED],
    };
  });
}

function chunkSizes(): Draft[] {
  const sound = (line: (size: string) => string) => (body: string) =>
    chunk(body, line(body.length.toString(16))) + chunk("", "0");
  const upper = framed(
    "upper case",
    sound((size) => size.toUpperCase()),
    ["ok"],
  );
  const zeros = framed(
    "leading zeros",
    sound((size) => `000${size}`),
    ["ok"],
  );
  const broken: ((size: string) => string)[] = [
    (size) => `0x${size}`,
    (size) => `+${size}`,
    (size) => `-${size}`,
    (size) => `g${size}`,
    (size) => ` ${size}`,
    (size) => `${size} ${size}`,
    (size) => `${size}h`,
    (size) => `${size},`,
    (size) => `${size}.0`,
    (size) => `1${"0".repeat(15)}${size}`,
    (size) => `1${"0".repeat(16 - size.length)}${size}`,
    (size) => `f${"f".repeat(40)}${size}`,
    (size) => `\x00${size}`,
    (size) => `${size}\x00`,
    (size) => `${size}\xa0`,
    () => "",
    () => "x",
  ];
  const loose: ((size: string) => string)[] = [(size) => `${size} `, (size) => `${size}\t`];
  return [
    upper,
    zeros,
    ...broken.map((line) => framed(show(line("a6")), sound(line), REFUSED)),
    ...loose.map((line) => framed(show(line("a6")), sound(line), ["ok", ...REFUSED])),
  ];
}

function chunkFrames(): Draft[] {
  const size = (body: string) => body.length.toString(16);
  const end = chunk("", "0");
  const frames: [string, (body: string) => string][] = [
    ["size ended by LF", (body) => `${size(body)}\n${body}${CRLF}${end}`],
    ["size ended by CR", (body) => `${size(body)}\r${body}${CRLF}${end}`],
    ["size ended by CR CR LF", (body) => `${size(body)}\r\r\n${body}${CRLF}${end}`],
    ["data ended by LF", (body) => `${size(body)}${CRLF}${body}\n${end}`],
    ["data not ended", (body) => `${size(body)}${CRLF}${body}${end}`],
    ["data longer", (body) => chunk(`${body}xx`, size(body)) + end],
    ["data shorter", (body) => chunk(body, (body.length + 5).toString(16)) + end],
    ["data ended by other", (body) => `${size(body)}${CRLF}${body}xx${end}`],
    ["garbage behind data", (body) => `${size(body)}${CRLF}${body}${CRLF}\x00\x01${CRLF}${end}`],
    ["last chunk ended by LF", (body) => `${chunk(body)}0\n\n`],
  ];
  return frames.map(([name, frame]) =>
    framed(name, (body) => frame(body) + smuggled(), REFUSED, { keep: true }),
  );
}

function chunkExtensions(): Draft[] {
  const extended = (extension: string) => (body: string) =>
    chunk(body, body.length.toString(16) + extension) + chunk("", "0");
  const sound = [";a", ";a=b", ';a="b"', ";a=b;c=d", ';a="b;c"'];
  const broken = [";a=\n", ";a\rb", ";\x00", ";a=\nGET / HTTP/1.1"];
  const sizes = [1_000, 20_000, 200_000];
  return [
    ...sound.map((extension) => framed(show(extension), extended(extension), ["ok"])),
    ...broken.map((extension) => framed(show(extension), extended(extension), REFUSED)),
    ...sizes.map((length) =>
      framed(`${length} bytes`, extended(`;${"x".repeat(length)}`), [
        "ok",
        "cancelled",
        ...REFUSED,
      ]),
    ),
  ];
}

function trailers(): Draft[] {
  const trailed = (lines: readonly string[]) => (body: string) =>
    `${chunk(body)}0${CRLF}${lines.map((line) => line + CRLF).join("")}${CRLF}`;
  const harmless = ["x: y", "content-length: 5", "transfer-encoding: chunked", "host: other"];
  const broken = ["no colon", ": empty", "a b: c", "x: \x00", "x: a\rb"];
  const many = Array.from({ length: 3_000 }, (_, nth) => `x-${nth}: y`);
  return [
    ...harmless.map((line) => framed(show(line), trailed([line]), ["ok", ...REFUSED])),
    ...broken.map((line) => framed(show(line), trailed([line]), REFUSED)),
    framed("the token", trailed([`kindgi-pack-token: ${TOKEN}`]), ["401"], { token: null }),
    framed("a type", trailed(["content-type: application/json"]), ["415"], { type: null }),
    framed("a second token", trailed(["kindgi-pack-token: x"]), ["ok", ...REFUSED]),
    framed("3,000", trailed(many), ["ok", ...REFUSED, "cancelled"]),
    framed("a call", (body) => `${chunk(body)}0${CRLF}${smuggled()}`, REFUSED, { keep: true }),
    {
      ...framed("of 1 MB", trailed([`x: ${"y".repeat(1_000_000)}`]), ["ok", ...REFUSED], {
        lines: ["kindgi-timeout-ms: 200"],
      }),
      ending: "leave",
    },
  ];
}

// Headers

function repeated(): Draft[] {
  const tokens = ["x", "", TOKEN, `${TOKEN}, ${TOKEN}`];
  const types = ["application/json", "text/plain", "", "application/json; charset=utf-8"];
  return [
    ...tokens.flatMap((token) => [
      variant(`token, then ${show(token)}`, { lines: [`kindgi-pack-token: ${token}`] }, ["401"]),
      variant(`${show(token)}, then token`, { token, lines: [`KINDGI-PACK-TOKEN: ${TOKEN}`] }, [
        "401",
      ]),
    ]),
    ...types.flatMap((type) => [
      variant(`type, then ${show(type)}`, { lines: [`content-type: ${type}`] }, ["415"]),
      variant(`${show(type)}, then type`, { type, lines: [`Content-Type: application/json`] }, [
        "415",
      ]),
    ]),
    ...["pack.test", "other.test"].map((host) =>
      variant(`host, then ${host}`, { lines: [`host: ${host}`] }, ["ok", ...REFUSED]),
    ),
  ];
}

function sizes(): Draft[] {
  const outcomes = ["ok", ...REFUSED];
  return [
    ...[100, 500, 1_000, 3_000, 10_000].map((count) => {
      const lines = Array.from({ length: count }, (_, nth) => `x-${nth}: y`);
      return variant(`${count} headers`, { lines }, outcomes);
    }),
    ...[100, 3_900, 10_000].map((count) => {
      const lines = [...Array.from({ length: count }, () => "x:"), `kindgi-pack-token: ${TOKEN}`];
      return variant(`the token behind ${count}`, { token: null, lines }, [...outcomes, "401"]);
    }),
    ...[2_100, 3_000].map((count) => {
      const lines = [...Array.from({ length: count }, () => "x:"), "kindgi-pack-token: x"];
      return variant(`a second token behind ${count}`, { lines }, ["401", ...REFUSED]);
    }),
    ...[3_900, 10_000].map((count) => {
      const lines = [...Array.from({ length: count }, () => "x:"), "transfer-encoding: chunked"];
      return variant(
        `a second framing behind ${count}`,
        { lines, body: `0\r\n\r\n${smuggled()}` },
        REFUSED,
      );
    }),
    ...[1_000, 8_000, 15_000, 17_000, 70_000, 1_000_000].flatMap((length) => {
      const long = "x".repeat(length);
      return [
        variant(`a value of ${length}`, { lines: [`x: ${long}`] }, outcomes),
        variant(`a name of ${length}`, { lines: [`${long}: x`] }, outcomes),
        variant(`a token of ${length}`, { token: long }, ["401", ...REFUSED]),
        variant(`a query of ${length}`, { start: `POST /v1/invoke?${long} HTTP/1.1` }, outcomes),
        variant(`a path of ${length}`, { start: `POST /${long} HTTP/1.1` }, ["404", ...REFUSED]),
        variant(`a method of ${length}`, { start: `${long} /v1/invoke HTTP/1.1` }, [
          "405",
          ...REFUSED,
        ]),
      ];
    }),
  ];
}

const isNameByte = (byte: number) => /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(byte));
const breaksLines = (byte: number) => byte === 0 || byte === 10 || byte === 13;
const isControl = (byte: number) => (byte < 32 && byte !== 9) || byte === 127;

function bytesInValues(): Draft[] {
  return BYTES.map((byte) => {
    const outcomes = breaksLines(byte) ? REFUSED : isControl(byte) ? ["ok", ...REFUSED] : ["ok"];
    return variant(hex(byte), { lines: [`x: a${String.fromCharCode(byte)}b`] }, outcomes);
  });
}

function bytesInNames(): Draft[] {
  return BYTES.map((byte) => {
    const line = `x${String.fromCharCode(byte)}y: z`;
    // A colon ends the name.
    const isSound = isNameByte(byte) || byte === 58;
    return variant(hex(byte), { lines: [line] }, isSound ? ["ok"] : REFUSED);
  });
}

function bytesInTokens(): Draft[] {
  return BYTES.flatMap((byte) => {
    const char = String.fromCharCode(byte);
    const isSpace = byte === 32 || byte === 9;
    const within = TOKEN.slice(0, 4) + char + TOKEN.slice(4);
    const around = isSpace ? ["ok"] : ["401", ...REFUSED];
    return [
      variant(`${hex(byte)} before`, { token: char + TOKEN }, around),
      variant(`${hex(byte)} after`, { token: TOKEN + char }, around),
      variant(`${hex(byte)} within`, { token: within }, ["401", ...REFUSED]),
    ];
  });
}

function bytesInTypes(): Draft[] {
  return BYTES.flatMap((byte) => {
    const char = String.fromCharCode(byte);
    const isSpace = byte === 32 || byte === 9;
    const after = isSpace || char === ";" ? ["ok"] : ["415", ...REFUSED];
    return [
      variant(`${hex(byte)} after`, { type: `application/json${char}` }, after),
      variant(`${hex(byte)} within`, { type: `application/${char}json` }, ["415", ...REFUSED]),
    ];
  });
}

function bytesInPaths(): Draft[] {
  return BYTES.flatMap((byte) => {
    const char = String.fromCharCode(byte);
    const ends = char === "?" || char === "#";
    // RFC 9112, 3: words may be told apart by any run of spaces.
    const isSpace = char === " ";
    const tail = ends || isSpace ? ["ok", "404", ...REFUSED] : ["404", ...REFUSED];
    const front = isSpace ? ["ok", ...REFUSED] : ["404", ...REFUSED];
    return [
      variant(`${hex(byte)} within`, { start: `POST /v1${char}/invoke HTTP/1.1` }, [
        "404",
        ...REFUSED,
      ]),
      variant(`${hex(byte)} after`, { start: `POST /v1/invoke${char} HTTP/1.1` }, tail),
      variant(`${hex(byte)} before`, { start: `POST ${char}/v1/invoke HTTP/1.1` }, front),
      variant(`${hex(byte)} encoded`, { start: `POST /v1/invoke%${hex(byte)} HTTP/1.1` }, [
        "404",
        ...REFUSED,
      ]),
    ];
  });
}

function bytesInMethods(): Draft[] {
  return BYTES.map((byte) => {
    const start = `PO${String.fromCharCode(byte)}ST /v1/invoke HTTP/1.1`;
    return variant(hex(byte), { start }, ["405", "404", ...REFUSED]);
  });
}

function folds(): Draft[] {
  const [head = "", tail = ""] = [TOKEN.slice(0, 5), TOKEN.slice(5)];
  return [" ", "\t"].flatMap((space) => {
    const fold = CRLF + space;
    return [
      variant(`a value${show(fold)}`, { lines: [`x: a${fold}b`] }, ["ok", ...REFUSED]),
      variant(`the token${show(fold)}`, { token: head + fold + tail }, ["401", ...REFUSED]),
      variant(`before the token${show(fold)}`, { token: fold + TOKEN }, ["ok", "401", ...REFUSED]),
      variant(
        `the first line${show(fold)}`,
        { start: `POST /v1/invoke HTTP/1.1${fold}x: y` },
        REFUSED,
      ),
      variant(
        `a length${show(fold)}`,
        { framing: [`content-length:${fold}5`], body: smuggled() },
        REFUSED,
      ),
      variant(
        `a coding${show(fold)}`,
        {
          framing: [`transfer-encoding:${fold}chunked`, "content-length: 5"],
          body: `0\r\n\r\n${smuggled()}`,
        },
        REFUSED,
      ),
    ];
  });
}

function brokenLines(): Draft[] {
  const lines = [
    "no colon",
    ": no name",
    "space : before",
    " starts: with space",
    "x: a\nkindgi-pack-token: x",
    "x: a\rkindgi-pack-token: x",
    "x: a\r\r\ny: z",
    "x: a\n\ny: z",
    "\x00: x",
    "[x]: y",
    "x(y): z",
  ];
  const id = fresh();
  return [
    ...lines.map((line) => variant(show(line), { lines: [line] }, REFUSED)),
    { name: "all lines end in LF", steps: [call(id).replaceAll(CRLF, "\n")], outcomes: REFUSED },
    {
      name: "all lines end in CR",
      steps: [call(fresh()).replaceAll(CRLF, "\r")],
      ending: "half-close",
      outcomes: REFUSED,
    },
    ...[1, 2, 5].map((count) => {
      const draft = variant(`${count} empty lines before`, {}, ["ok", ...REFUSED]);
      return { ...draft, steps: [CRLF.repeat(count) + draft.steps[0]] };
    }),
  ];
}

function hosts(): Draft[] {
  const sound = ["pack.test", "pack.test:80", "[::1]", "[::1]:80", "127.0.0.1"];
  const odd = ["", "a b", "[::1", "a@b", "a,b", "a:b", "a:99999", "%41", "\xe4", "a\\b", "-", ".."];
  const leading = [
    "x/v1/invoke?",
    "x/v1/invoke#",
    "x/v1/invoke",
    "/v1/invoke?",
    "x\\v1\\invoke?",
    "u:p@x/v1/invoke?",
    "x://y/v1/invoke?",
    "?",
    "#",
  ];
  const elsewhere = { start: "POST /nothing HTTP/1.1" };
  return [
    ...sound.map((host) => variant(show(host), { host }, ["ok"])),
    ...odd.map((host) => variant(show(host), { host }, ["ok", "404", ...REFUSED])),
    ...leading.map((host) =>
      variant(`leads to a call: ${show(host)}`, { ...elsewhere, host }, ["404", ...REFUSED]),
    ),
    ...leading.map((host) =>
      variant(`leads from a call: ${show(host)}`, { host }, ["ok", "404", ...REFUSED]),
    ),
    variant("none", { host: null }, ["ok", ...REFUSED]),
  ];
}

// The request line

function targets(): Draft[] {
  const to = (target: string, outcomes: readonly string[]) =>
    variant(show(target), { start: `POST ${target} HTTP/1.1` }, outcomes);
  const route = "/v1/invoke";
  const encoded = Array.from(route, (char, at) => {
    const code = hex(char.charCodeAt(0));
    return [code, code.toUpperCase()].map(
      (digits) => `${route.slice(0, at)}%${digits}${route.slice(at + 1)}`,
    );
  }).flat();
  const detours = [
    "/.",
    "/..",
    "/x/..",
    "/%2e",
    "/%2E%2e",
    "/.%2e",
    "/",
    "//",
    "/;",
    "/\\..",
    "/..\\",
  ];
  const dots = detours.flatMap((detour) => [
    `${detour}${route}`,
    `/v1${detour}/invoke`,
    `${route}${detour}`,
    `/healthz${detour}${route}`,
  ]);
  const same = [`${route}?`, `${route}?a=b`, `${route}?/../x`, `${route}?a?b`, `${route}?%00`];
  const absolute = [
    "http://pack.test",
    "http://other.test",
    "HTTP://pack.test",
    "https://pack.test:1",
    "http://u:p@pack.test",
  ];
  const wrong = [
    "*",
    "",
    "v1/invoke",
    "xx/v1/invoke",
    "pack.test:80",
    "http://",
    "http:///",
    "http:/v1/invoke",
    "http:v1/invoke",
    "://",
    "?",
    "/V1/invoke",
    "/v1/Invoke",
    `${route}x`,
    `${route}\\`,
    "/__proto__",
    "/constructor",
  ];
  return [
    ...[...encoded, ...dots, ...wrong].map((target) => to(target, ["404", "405", ...REFUSED])),
    ...same.map((target) => to(target, ["ok"])),
    ...absolute.flatMap((origin) => [
      to(origin + route, ["ok", ...REFUSED]),
      to(`${origin}/v1/../v1/invoke`, ["404", ...REFUSED]),
      to(`${origin}?${route}`, ["404", ...REFUSED]),
      to(`${origin}/${route}`, ["404", ...REFUSED]),
    ]),
    to(`http:///v1/invoke`, ["ok", "404", ...REFUSED]),
  ];
}

function methods(): Draft[] {
  const other = ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PURGE", "M-SEARCH", "QUERY"];
  const wrong = [
    "post",
    "Post",
    "pOST",
    "POSTS",
    "POS",
    "FOO",
    "PRI",
    "SOURCE",
    "",
    "POST\t",
    "[POST]",
  ];
  const known = other.map((method) =>
    variant(method, { start: `${method} /v1/invoke HTTP/1.1` }, ["405", ...REFUSED]),
  );
  const unknown = wrong.map((method) =>
    variant(show(method), { start: `${method} /v1/invoke HTTP/1.1` }, ["405", "404", ...REFUSED]),
  );
  const connects = ["pack.test:80", "/v1/invoke", "*"].map((target) =>
    variant(`CONNECT ${target}`, { start: `CONNECT ${target} HTTP/1.1`, body: smuggled() }, [
      "404",
      "405",
      ...REFUSED,
    ]),
  );
  const upgrades = ["websocket", "h2c", "TLS/1.0"].map((protocol) =>
    variant(
      `upgrade to ${protocol}`,
      { keep: true, lines: [`upgrade: ${protocol}`, "connection: upgrade"] },
      ["ok", ...REFUSED],
    ),
  );
  return [...known, ...unknown, ...connects, ...upgrades];
}

function versions(): Draft[] {
  const line = (version: string) => `POST /v1/invoke ${version}`;
  const wrong = [
    "HTTP/0.9",
    "HTTP/1.2",
    "HTTP/1.9",
    "HTTP/2.0",
    "HTTP/3",
    "HTTP/9.9",
    "HTTP/11",
    "HTTP/1.1.1",
    "http/1.1",
    "HTTP/1",
    "HTTP/1,1",
    "HTTP/01.1",
    "HTTPS/1.1",
    "ICE/1.0",
    "RTSP/1.0",
    "HTTP/1.1 x",
    "x",
    "",
  ];
  return [
    variant("HTTP/1.0", { start: line("HTTP/1.0") }, ["ok"]),
    variant("HTTP/1.0 without a host", { start: line("HTTP/1.0"), host: null }, ["ok"]),
    variant(
      "HTTP/1.0, kept",
      { start: line("HTTP/1.0"), keep: true, lines: ["connection: keep-alive"] },
      ["ok"],
    ),
    variant("HTTP/1.0 by default", { start: line("HTTP/1.0"), keep: true }, ["ok"]),
    ...wrong.map((version) => variant(show(version), { start: line(version) }, REFUSED)),
    variant("two spaces", { start: "POST  /v1/invoke HTTP/1.1" }, ["ok", ...REFUSED]),
    variant("two spaces before the version", { start: "POST /v1/invoke  HTTP/1.1" }, [
      "ok",
      ...REFUSED,
    ]),
    variant("a tab", { start: "POST\t/v1/invoke HTTP/1.1" }, REFUSED),
    variant("a space behind", { start: "POST /v1/invoke HTTP/1.1 " }, ["ok", ...REFUSED]),
    variant("a space before", { start: " POST /v1/invoke HTTP/1.1" }, REFUSED),
    variant("no space", { start: "POST/v1/invoke HTTP/1.1" }, REFUSED),
  ];
}

// What isn't HTTP/1

/** Numbers below 2^32 that a seed decides. */
function* noise(seed: number): Generator<number> {
  for (let state = seed >>> 0; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state >>> 8;
  }
}

function garbage(seed: number, alphabet: readonly string[]): string {
  const numbers = noise(seed);
  const next = () => numbers.next().value as number;
  return Array.from(
    { length: 1 + (next() % 2_000) },
    () => alphabet[next() % alphabet.length],
  ).join("");
}

function foreign(): Draft[] {
  const settings = "\x00\x00\x00\x04\x00\x00\x00\x00\x00";
  const hello = `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${garbage(
    1,
    ALL_BYTES.map((byte) => String.fromCharCode(byte)),
  )}`;
  const ascii = ALL_BYTES.slice(32, 127).map((byte) => String.fromCharCode(byte));
  const words = [
    "GET",
    "POST",
    " ",
    CRLF,
    "/v1/invoke",
    "HTTP/1.1",
    ":",
    "host",
    "0",
    "chunked",
    "content-length",
    "\n",
    "\x00",
  ];
  const texts: [string, string][] = [
    ["TLS hello", hello],
    ["TLS alert", "\x15\x03\x01\x00\x02\x02\x28"],
    ["SSH", "SSH-2.0-x\r\n"],
    ["SMTP", "EHLO x\r\n"],
    ["Redis", "*1\r\n$4\r\nPING\r\n"],
    ["proxy line", `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${smuggled()}`],
    ["proxy block", `\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c${smuggled()}`],
    ["JSON", message(fresh("smuggled"))],
    ["zeros", "\x00".repeat(5_000)],
    ["ones", "\xff".repeat(5_000)],
    ["empty lines", CRLF.repeat(3_000)],
    ["a simple request", "GET /v1/info\r\n"],
    ["a response", "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"],
    ["HTTP/2 preface, cut", "PRI * HTTP/2.0\r\n\r\nSM"],
    ["HTTP/2 preface, wrong", `PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n${settings}`],
    ["HTTP/2 preface", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${settings}`],
  ];
  const sources: [string, readonly string[]][] = [
    ["bytes", ALL_BYTES.map((byte) => String.fromCharCode(byte))],
    ["ASCII", ascii],
    ["HTTP words", words],
  ];
  const noisy = sources.flatMap(([name, alphabet]) =>
    Array.from({ length: 40 }, (_, seed): [string, string] => [
      `${name}, seed ${seed}`,
      garbage(seed, alphabet),
    ]),
  );
  return [...texts, ...noisy].map(([name, text]) => ({
    name,
    steps: [text],
    ending: "half-close",
    outcomes: [...REFUSED, "404"],
  }));
}

const KINDS: Readonly<Record<string, () => Draft[]>> = {
  "cut, then closed": () => cuts("hang-up", withLength),
  "cut, then half-closed": () => cuts("half-close", withLength),
  "chunks cut, then closed": () => cuts("hang-up", inChunks),
  "chunks cut, then half-closed": () => cuts("half-close", inChunks),
  "whole, then gone": wholeThenGone,
  "in two packets": splits,
  "byte by byte": trickles,
  pipelined: pipelines,
  "pipelined, then broken": brokenFollowers,
  "broken in one packet": brokenTails,
  "after the close": afterClose,
  expectation: expectations,
  "two lengths": twoLengths,
  coding: codings,
  length: lengths,
  "wrong length": wrongLengths,
  "chunk size": chunkSizes,
  "chunk frame": chunkFrames,
  "chunk extension": chunkExtensions,
  trailer: trailers,
  repeated,
  size: sizes,
  "byte in a value": bytesInValues,
  "byte in a name": bytesInNames,
  "byte in the token": bytesInTokens,
  "byte in the type": bytesInTypes,
  "byte in the path": bytesInPaths,
  "byte in the method": bytesInMethods,
  fold: folds,
  "broken line": brokenLines,
  host: hosts,
  target: targets,
  method: methods,
  version: versions,
  "not HTTP/1": foreign,
};

/** Every input, by kind. */
export function hostileInputs(): ReadonlyMap<string, readonly HostileInput[]> {
  return new Map(
    Object.entries(KINDS).map(([kind, drafts]) => [
      kind,
      drafts().map((draft) => ({ kind, ...draft })),
    ]),
  );
}
