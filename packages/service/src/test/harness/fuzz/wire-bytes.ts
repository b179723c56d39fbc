/** Requests as bytes: valid ones, request smuggling, and requests with a few changed bytes. */

/** Returns numbers in [0, 1). */
export type Chance = () => number;
export const below = (chance: Chance, max: number) => Math.floor(chance() * max);
export function oneOf<T>(chance: Chance, values: readonly T[]): T {
  const value = values[below(chance, values.length)];
  if (value === undefined) throw new Error("nothing to choose from");
  return value;
}

type WireRequest = { method?: string; path: string; key?: string; body?: string; headers?: readonly string[] };

/** Returns a valid request. */
export function requestBytes({ method = "GET", path, key, body, headers = [] }: WireRequest): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...(key === undefined ? [] : [`Authorization: ${key}`]),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

const transferEncodings = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding:chunked",
  "Transfer-Encoding: Chunked",
  "Transfer-Encoding:  chunked",
  "Transfer-Encoding:\tchunked",
  "Transfer-Encoding: chunked ",
  "transfer-encoding: CHUNKED",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: chunked;q=1",
  'Transfer-Encoding: "chunked"',
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
  "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: x\r\n chunked",
  "Transfer-Encoding\r\n : chunked",
  "Transfer-Encoding : chunked",
  " Transfer-Encoding: chunked",
  "X: x\nTransfer-Encoding: chunked",
  "X: x\rTransfer-Encoding: chunked",
  "Transfer-Encoding: \x0bchunked",
  "Transfer-Encoding: chunked\0",
  "Transfer\0-Encoding: chunked",
];
/** Each of these makes a Content-Length that must be rejected. */
const badLengths = [
  "+N",
  "-N",
  "0xN",
  "N,N",
  "N, N",
  "N N",
  "N.0",
  "Ne0",
  '"N"',
  "N\0",
  "0N\r\nContent-Length: N",
  "\x0bN",
];
const chunkSizes = [
  "zz",
  "-1",
  "+2",
  "0x2",
  " 2",
  "2 2",
  "",
  "ffffffffffffffff0",
  "2\0",
  "2;a=\x01",
  "2\n",
  "2\r",
  "g",
];

/** A request whose end two parsers see in different places, with a second request in what may be its body. */
export function smuggling(chance: Chance, request: { path: string; key: string; inner: string }): string {
  const { path, key, inner } = request;
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\n`;
  const ended = oneOf(chance, ["0\r\n\r\n", "2\r\n{}\r\n0\r\n\r\n", "0\r\n", ""]);
  const body = `${ended}${inner}`;
  const length = oneOf(chance, [0, 2, ended.length, body.length]);
  const kind = oneOf(chance, ["both", "length", "chunk"] as const);
  if (kind === "both") {
    const lines = [oneOf(chance, transferEncodings), `Content-Length: ${length}`];
    return `${head}${(chance() < 0.5 ? lines : lines.toReversed()).join("\r\n")}\r\n\r\n${body}`;
  }
  if (kind === "length") {
    const written = oneOf(chance, badLengths).replaceAll("N", String(length));
    return `${head}Content-Length: ${written}\r\n\r\n${body}`;
  }
  return `${head}Transfer-Encoding: chunked\r\n\r\n${oneOf(chance, chunkSizes)}\r\n{}\r\n0\r\n\r\n${inner}`;
}

const starts = [
  "GET",
  "get",
  "Get",
  "PoST",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PRI",
  "M-SEARCH",
  "\0GET",
  "GET\t",
];
const targets = [
  "/livez",
  "*",
  "//livez",
  "http://localhost/livez",
  "localhost:80",
  "/livez#x",
  "/%00",
  "/\u00e9",
  "/a b",
  "/..",
  "?",
];
const versions = [
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/1.2",
  "HTTP/2.0",
  "http/1.1",
  "HTTP/1.1 ",
  "HTTP/11",
  "HTTPS/1.1",
  "",
];
const oddHeaders = [
  "Expect: 100-continue",
  "Expect: 200-ok",
  "Expect:",
  "Upgrade: h2c\r\nConnection: Upgrade",
  "Upgrade: websocket\r\nConnection: upgrade",
  "Connection: keep-alive, close",
  "Host: evil.example",
  "Content-Encoding: gzip",
  "Trailer: authorization",
  "TE: trailers",
  "Idempotency-Key: \x80",
  "Accept: application/problem+json",
  "Range: bytes=0-0",
  "X-Forwarded-For: 1.2.3.4",
  "If-None-Match: *",
];

/** Returns a request with a rare request line or header. */
export function oddity(chance: Chance, key: string): string {
  const line = `${oneOf(chance, starts)} ${oneOf(chance, targets)} ${oneOf(chance, versions)}`;
  const usual = chance() < 0.5 ? "GET /livez HTTP/1.1" : "POST /v2/1-click HTTP/1.1";
  const headers = Array.from({ length: below(chance, 3) }, () => oneOf(chance, oddHeaders));
  const big = chance() < 0.2 ? [`X-Big: ${"x".repeat(below(chance, 70_000))}`] : [];
  const many = chance() < 0.1 ? Array.from({ length: below(chance, 2_500) }, (_, at) => `X-${at}: x`) : [];
  const all = ["Host: localhost", `Authorization: ${key}`, ...headers, ...big, ...many, "Content-Length: 0"];
  return `${chance() < 0.5 ? line : usual}\r\n${all.join("\r\n")}\r\n\r\n`;
}

const changesMax = 8;

/** Returns the same bytes with a few changes. */
export function mutated(chance: Chance, text: string): Buffer {
  let bytes = Buffer.from(text, "latin1");
  const changes = 1 + below(chance, changesMax);
  for (let i = 0; i < changes; i += 1) {
    const [a, b] = [below(chance, bytes.length + 1), below(chance, bytes.length + 1)].toSorted((x, y) => x - y);
    const [head, middle, tail] = [bytes.subarray(0, a), bytes.subarray(a, b), bytes.subarray(b)];
    const byte = Buffer.from([below(chance, 256)]);
    const near = bytes.subarray(a, Math.min(bytes.length, (a ?? 0) + below(chance, 16)));
    bytes = Buffer.concat(
      oneOf(chance, [
        [head, byte, bytes.subarray((a ?? 0) + 1)],
        [head, byte, middle, tail],
        [head, near, middle, tail],
        [head, bytes.subarray((a ?? 0) + near.length)],
        [
          head,
          Buffer.from(oneOf(chance, ["\r\n", "\n", "\r", "\0", ":", " ", "\r\n\r\n", "0", "HTTP/1.1"])),
          middle,
          tail,
        ],
        changes === 1 ? [head, tail] : [head, middle, tail],
      ]),
    );
  }
  return bytes;
}
