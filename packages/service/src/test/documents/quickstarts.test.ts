// rest: installs and starts servers in five languages
/** Starts each quickstart as its page says, and signs up with it. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { webhookSignature } from "../../domain/webhook/request.ts";
import { eventually } from "../harness/eventually.ts";
import { startQuickstart } from "../harness/quickstart.ts";
import { hasPackages, type Runtime } from "../harness/runtimes.ts";
import { dataDir, start } from "../harness/service-process.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const secret = "whsec_q1w2e3r4t5y6u7i8o9p0";
const quickstarts: Readonly<Record<string, Runtime | "Node">> = {
  express: "Node",
  fastify: "Node",
  nextjs: "Node",
  fastapi: "Python",
  go: "Go",
  php: "PHP",
};

const service = await start(await dataDir());
const COUNTERSIGN_API = service.ready.environments.sandbox?.apiUrl ?? assert.fail("no sandbox");

/** A browser's part: it keeps the cookies and follows redirects. */
function visitor(url: string) {
  const cookies = new Map<string, string>();
  return async function open(path: string, form?: Record<string, string>): Promise<string> {
    const response = await fetch(url + path, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (response.status === 303 && location !== null) return open(location);
    assert.equal(response.status, 200, path);
    return response.text();
  };
}

async function assertSignsUp(url: string): Promise<void> {
  const richard = visitor(url);
  assert.match(await richard("/"), /agree to receive a text message to create an account[\s\S]*terms/);
  assert.match(await richard("/start", { phone: "+12125550010" }), /Enter your code/);
  assert.match(await richard("/finish", { code: "000000" }), /That code is not right/);
  assert.match(await richard("/finish", { code: "111111" }), /Welcome, Richard!/);
  const unknown = visitor(url);
  await unknown("/start", { phone: "+14045551300" });
  assert.match(await unknown("/finish", { code: "111111" }), /Show your own signup form/);
  assert.match(await visitor(url)("/start", { phone: "+442071838750" }), /Show your own signup form/);
  assert.match(await visitor(url)("/finish", { code: "111111" }), /Show your own signup form/);
}

async function assertChecksWebhooks(url: string): Promise<void> {
  const body = JSON.stringify({ event: "1-click.health.lookup", healthDataUuid: "5f0c2a52", note: "ünïcode ✓" });
  const send = async (signature: string, timestamp: string) => {
    const headers = { "content-type": "application/json" };
    const signed = { "x-webhook-timestamp": timestamp, "x-webhook-signature": signature };
    return (await fetch(`${url}/webhooks`, { method: "POST", headers: { ...headers, ...signed }, body })).status;
  };
  const now = String(Math.floor((performance.timeOrigin + performance.now()) / 1000));
  const past = String(Number(now) - 600);
  assert.equal(await send(webhookSignature([secret], now, body), now), 204);
  assert.equal(await send(webhookSignature(["whsec_new", secret], now, body), now), 204);
  assert.equal(await send(webhookSignature(["whsec_other"], now, body), now), 400);
  assert.equal(await send(webhookSignature([secret], past, body), past), 400);
  assert.equal(await send("", "soon"), 400);
}

for (const [name, runtime] of Object.entries(quickstarts)) {
  if (runtime !== "Node" && !hasPackages(runtime)) continue; // `npm test` says at its end what did not run.
  test(`the quickstart ${name} signs a person up, and accepts only genuine webhooks`, async (t) => {
    const { url, stop } = await startQuickstart(name, { COUNTERSIGN_API, COUNTERSIGN_WEBHOOK_SECRET: secret });
    t.after(stop);
    await assertSignsUp(url);
    await assertChecksWebhooks(url);
  });
  test(`the quickstart ${name} accepts an address with a slash at the end, and prints that its key is wrong`, async (t) => {
    const variables = { COUNTERSIGN_API: `${COUNTERSIGN_API}/`, COUNTERSIGN_KEY: "sk_sandbox_wrong" };
    const { url, printed, stop } = await startQuickstart(name, variables);
    t.after(stop);
    assert.match(await visitor(url)("/start", { phone: "+12125550010" }), /Show your own signup form/);
    await eventually(async () => (/Countersign: 401 \S/.test(printed()) ? true : undefined));
  });
}

test("every example is a quickstart with a page, except the brand and the OpenID clients", () => {
  const folders = readdirSync(resolve(root, "examples"), { withFileTypes: true })
    .filter((one) => one.isDirectory() && one.name !== "brand" && !one.name.startsWith("openid-"))
    .map(({ name }) => name);
  assert.deepEqual(folders.sort(), Object.keys(quickstarts).sort());
  const pages = readdirSync(resolve(root, "docs/quickstarts")).filter((name) => name !== "index.md");
  assert.deepEqual(
    pages.sort(),
    Object.keys(quickstarts)
      .map((name) => `${name}.md`)
      .sort(),
  );
});
