/** Sends load to a server from a separate process, either as fast as the server answers or at a fixed rate. */
import { createRequire } from "node:module";

const { Client } = createRequire(new URL("./peers/package.json", import.meta.url))("undici");
type Client = {
  dispatch(request: object, handler: object): boolean;
  close(): Promise<void>;
};

export type Asked = { method: "GET" | "POST"; path: string; key: string; body?: string };
export type Run = {
  origin: string;
  /** Sent in turn, repeatedly. */
  requests: Asked[];
  connections: number;
  seconds: number;
  /** Absent: each connection sends its next request as soon as it gets an answer. */
  perSecond?: number;
};
export type Ran = { answered: number; failed: number; seconds: number; p50Ms: number; p99Ms: number };

process.on("message", (run: Run) => {
  load(run).then(
    (ran) => process.send?.(ran),
    (error) => {
      throw error;
    },
  );
});

async function load(run: Run): Promise<Ran> {
  const connect = (): Client => new Client(run.origin, { pipelining: 1 });
  const clients = Array.from({ length: run.connections }, connect);
  const taken: number[] = [];
  let failed = 0;
  let next = 0;
  const ask = async (client: Client, since: number) => {
    const request = run.requests[next++ % run.requests.length];
    if (request === undefined) throw new Error("there is no request to send");
    const isGood = await answer(client, request);
    if (isGood) taken.push(performance.now() - since);
    else failed += 1;
  };
  const began = performance.now();
  const until = began + run.seconds * 1_000;
  if (run.perSecond === undefined) {
    const eager = async (client: Client) => {
      for (let now = began; now < until; now = performance.now()) await ask(client, now);
    };
    await Promise.all(clients.map(eager));
  } else await paced(clients, { began, until, perMs: run.perSecond / 1_000 }, ask);
  const seconds = (performance.now() - began) / 1_000;
  await Promise.all(clients.map((client) => client.close()));
  const sorted = taken.toSorted((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { answered: taken.length, failed, seconds, p50Ms: share(0.5), p99Ms: share(0.99) };
}

/**
 * Sends requests at a fixed rate and measures from the time a request was due. A server that stalls does not get fewer
 * requests.
 */
async function paced(
  clients: Client[],
  { began, until, perMs }: { began: number; until: number; perMs: number },
  ask: (client: Client, since: number) => Promise<void>,
): Promise<void> {
  const asking: Promise<void>[] = [];
  for (let now = began; now < until; now = performance.now()) {
    const due = Math.floor((now - began) * perMs);
    while (asking.length < due) {
      const client = clients[asking.length % clients.length];
      if (client !== undefined) asking.push(ask(client, began + asking.length / perMs));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(asking);
}

function answer(client: Client, { method, path, key, body }: Asked): Promise<boolean> {
  const headers = { authorization: key, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  return new Promise((resolve) => {
    let status = 0;
    client.dispatch(
      { method, path, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller: unknown, code: number) => {
          status = code;
        },
        onResponseData: () => undefined,
        onResponseEnd: () => resolve(status < 300),
        onResponseError: () => resolve(false),
      },
    );
  });
}
