import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import type { FakeTime } from "../fake-time.ts";

export type FakeRequest = { method: string; url: URL; headers: IncomingHttpHeaders; body: string };
export type FakeReply = { status?: number; headers?: Record<string, string>; body?: string | object };

/** A fault: it breaks the connection or replaces the vendor's answer. */
type Fault = (response: ServerResponse, time: FakeTime) => void;
const says =
  (status: number, headers: Record<string, string> = {}, body = "{}"): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(body);

export const faults = {
  // The server receives the request but does not answer, and the deadline passes.
  slow: (_response, time) => time.lapse(),
  reset: (response) => void response.socket?.resetAndDestroy(),
  "half an answer": (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"half":');
    response.socket?.end();
  },
  "half an answer, then silence": (response, time) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"half":', () => time.lapse());
  },
  "an answer without end": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536))) {}
    };
    response.on("drain", more);
    more();
  },
  garbage: says(200, { "content-type": "text/html" }, "<html>maintenance</html>"),
  "an empty object": says(200),
  "an empty answer": says(200, {}, ""),
  "no HTTP": (response) => void response.socket?.end("\u0000\u0001\u0002 nonsense\r\n\r\n"),
  "a redirect": says(302, { location: "http://127.0.0.1:1/" }),
  "400": says(400),
  "401": says(401),
  "403": says(403),
  "404": says(404),
  "429": says(429),
  "429, Retry-After 1": says(429, { "retry-after": "1" }),
  "429, Retry-After 3600": says(429, { "retry-after": "3600" }),
  "500": says(500),
  "502": says(502),
  "503": says(503),
  "503, Retry-After 1": says(503, { "retry-after": "1" }),
} satisfies Record<string, Fault>;
export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults).filter((name): name is FaultName => name in faults);

export type FakeVendor = Awaited<ReturnType<typeof fakeVendor>>;

/** A vendor on this machine. It returns what `answer` returns, or applies the fault that a test set. */
export async function fakeVendor(time: FakeTime, answer: (request: FakeRequest) => FakeReply | FaultName) {
  const requests: FakeRequest[] = [];
  const broken: { fault: FaultName | null; times: number; where: (request: FakeRequest) => boolean } = {
    fault: null,
    times: 0,
    where: () => true,
  };
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const request: FakeRequest = {
      method: incoming.method ?? "",
      url: new URL(incoming.url ?? "/", url),
      headers: incoming.headers,
      body: Buffer.concat(parts).toString("utf8"),
    };
    requests.push(request);
    if (broken.fault !== null && broken.times > 0 && broken.where(request)) {
      broken.times -= 1;
      return faults[broken.fault](response, time);
    }
    const reply = answer(request);
    if (typeof reply === "string") return faults[reply](response, time);
    const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {});
    response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url,
    requests,
    /** Applies a fault to the following requests: to all, to a number of them, or to those that `where` selects. */
    break(fault: FaultName, options: { times?: number; where?: (request: FakeRequest) => boolean } = {}) {
      Object.assign(broken, {
        fault,
        times: options.times ?? Number.POSITIVE_INFINITY,
        where: options.where ?? (() => true),
      });
    },
    mend() {
      broken.fault = null;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
