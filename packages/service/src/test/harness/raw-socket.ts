/** Sends bytes on a socket and parses the answers more strictly than an HTTP client. */
import assert from "node:assert/strict";
import { connect } from "node:net";

export type RawAnswer = { status: number; headers: Map<string, string>; body: string };
/** `whole`: the stream ends exactly where its last answer ends. */
export type Heard = { answers: RawAnswer[]; whole: boolean };
type How = {
  /** Positions at which the bytes are split into several writes. */
  cuts?: readonly number[];
  /** What the client does after writing. With `wait`, the service must close the connection. */
  ending: "wait" | "end" | "reset";
};

/** Event loop turns that the service, in this process, gets to read the bytes and to send its immediate answers. */
const turns = 20;

/** Sends bytes, and reads until the connection is closed. */
export async function exchange({ hostname, port }: URL, bytes: Buffer, { cuts = [], ending }: How): Promise<Heard> {
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setNoDelay(true);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  // The service may reset the connection of a client that it refuses while the client is still writing.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let from = 0;
  for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    socket.write(bytes.subarray(from, to));
    from = to;
    if (cuts.length > 0) await turn();
  }
  if (ending !== "wait") {
    for (let i = 0; i < turns; i += 1) await turn();
    if (ending === "end") socket.end();
    else socket.resetAndDestroy();
  }
  await closed;
  return readAnswers(Buffer.concat(chunks));
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Parses every answer in a stream. Throws if something is not an answer. */
export function readAnswers(stream: Buffer): Heard {
  const answers: RawAnswer[] = [];
  let rest = stream.toString("latin1");
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return { answers, whole: false };
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = /^HTTP\/1\.1 (\d{3}) [A-Za-z' -]+$/.exec(first)?.[1];
    assert.ok(status, `not an HTTP response: ${JSON.stringify(first.slice(0, 200))}`);
    const headers = new Map(lines.map((line) => readHeader(line)));
    rest = rest.slice(end + 4);
    if (status === "100") continue;
    const length = Number(headers.get("content-length") ?? (status === "204" ? 0 : Number.NaN));
    assert.ok(Number.isSafeInteger(length), `a response without a length: ${status}`);
    if (rest.length < length) return { answers, whole: false };
    answers.push({ status: Number(status), headers, body: rest.slice(0, length) });
    rest = rest.slice(length);
  }
  return { answers, whole: true };
}

function readHeader(line: string): [string, string] {
  const [, name = "", value = ""] =
    /^([!-9;-~]+): ?(.*)$/.exec(line) ?? assert.fail(`not a header: ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}
