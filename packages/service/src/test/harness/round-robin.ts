/** A minimal load balancer: each request goes to the next process that accepts it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

export type RoundRobin = {
  url: string;
  /** The URLs of the processes behind it. */
  behind: Set<string>;
  close(): void;
};

/** Tries the next process only if the first refused the connection. Every other failure is a 502. */
export async function roundRobin(): Promise<RoundRobin> {
  const behind = new Set<string>();
  let turn = 0;
  // By default Node closes idle connections after 5 s, and a request that is sent at that moment fails.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      turn += 1;
      const all = [...behind];
      const from = turn % Math.max(1, all.length);
      forward([...all.slice(from), ...all.slice(0, from)], { incoming, outgoing, body: Buffer.concat(chunks) });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, behind, close: () => void server.close() };
}

type Passing = { incoming: IncomingMessage; outgoing: ServerResponse; body: Buffer };

function forward([first, ...others]: string[], passing: Passing): void {
  const { incoming, outgoing, body } = passing;
  const giveUp = () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  };
  if (first === undefined) {
    giveUp();
    return;
  }
  const { method, headers, url = "/" } = incoming;
  const on = request(new URL(url, first), { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  on.on("error", (error) => {
    if ("code" in error && error.code === "ECONNREFUSED" && !outgoing.headersSent) forward(others, passing);
    else giveUp();
  });
  on.end(body);
}
