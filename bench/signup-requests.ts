/** Creates the brands, people and 1-Clicks that the measurement needs, and the requests for them. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Script, type Statement, writeScript } from "./signup-limit.ts";
import type { Asked } from "./signup-load.ts";
import { type Embedded, startService } from "./signup-service.ts";

export type Method = "POST" | "GET";

/** Each brand has its own key, so that no key reaches its limit of 500 requests per second. */
const brandsCount = 32;
/** Number of people whom the service already knows. A new person once costs two rows more. */
const peopleCount = 256;
const demoKey = "sk_sandbox_demo_api";
/** After this time, no requests are in progress and all background writes are done, in milliseconds. */
const quietMs = 600;
const capturesMax = 10;

/**
 * Brands of the API type, created with a sandbox key. Every person's data comes from a source and is sealed under its
 * own key.
 */
export async function arrange(
  origin: string,
  { webhook }: { webhook?: string } = {},
): Promise<Record<Method, Asked[]>> {
  const keys: string[] = [];
  for (let brand = 0; brand < brandsCount; brand += 1) {
    const made = await send(origin, { method: "POST", path: "/sandbox/brands", key: demoKey, body: "{}" });
    keys.push(String(made.apiKey));
    if (webhook === undefined) continue;
    const body = JSON.stringify({ url: `${webhook}/${brand}`, events: ["1-click.signup.shared"] });
    await send(origin, { method: "POST", path: `/sandbox/brands/${made.uuid}/webhooks`, key: demoKey, body });
  }
  const POST = Array.from({ length: peopleCount }, (_, person): Asked => {
    const body = JSON.stringify({ phone: `+1415${2_000_000 + person}`, email: `person-${person}@example.com` });
    return { method: "POST", path: "/v2/1-click", key: keys[person % brandsCount] ?? "", body };
  });
  const GET: Asked[] = [];
  for (const asked of POST) {
    const { uuid } = await send(origin, asked);
    GET.push({ method: "GET", path: `/v2/1-click/${uuid}`, key: asked.key });
  }
  return { POST, GET };
}

export async function send(origin: string, { method, path, key, body }: Asked) {
  const headers = { authorization: key, ...(body === undefined ? {} : { "content-type": "application/json" }) };
  const response = await fetch(`${origin}${path}`, { method, headers, body });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** The statements that one request of each kind runs in the database, as pgbench scripts. */
export async function captureScripts(embedded: Embedded): Promise<Record<Method, Script>> {
  const service = await startService(embedded, "signup-statements.ts");
  try {
    const requests = await arrange(service.origin);
    const script = async (method: Method) => {
      const [asked] = requests[method];
      if (asked === undefined) throw new Error("there is no request to send");
      const ask = () => send(service.origin, asked);
      return await writeScript(join(embedded.dataDir, `${method}.sql`), await captureTwice(ask, service.told));
    };
    return { POST: await script("POST"), GET: await script("GET") };
  } finally {
    await service.stop();
  }
}

/** Repeats the request until two in a row run the same statements. The service also runs statements of its own. */
async function captureTwice(ask: () => Promise<unknown>, told: () => Promise<Statement[]>) {
  let before: Statement[] = [];
  for (let time = 0; time < capturesMax; time += 1) {
    await sleep(quietMs);
    await told();
    await ask();
    const now = await told();
    const isSame = before.length === now.length && now.every(({ text }, at) => text === before[at]?.text);
    if (isSame) return [before, now] as const;
    before = now;
  }
  throw new Error("no two requests ran the same statements");
}
