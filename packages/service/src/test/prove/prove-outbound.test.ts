/**
 * No webhook reaches an internal address, whatever its spelling: not when it is created, changed, tested or
 * redirected, and not when its name resolves to another address later. Public addresses stay allowed.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import test, { after } from "node:test";
import { defineEndpoint } from "../../domain/webhook/endpoint.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import { outbound, type Resolve } from "../../providers/outbound.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { insideHost, insideHosts, outsideHost } from "../harness/fuzz/internal-hosts.ts";
import { oneOf } from "../harness/fuzz/wire-bytes.ts";
import { sandbox } from "../harness/sandbox.ts";
import { chance, isLong, seeded, tell } from "../harness/seeded-run.ts";

const random = chance();
const spellings = isLong ? 1_000_000 : 20_000;
const looksUp = isLong ? 50_000 : 500;
/** The number of generated addresses that go through the whole service, in addition to the table. */
const generated = isLong ? 500 : 10;

/** An internal server that must never be reached. */
let hits = 0;
const inner = createServer((_request, response) => {
  hits += 1;
  response.end("secret");
});
await once(inner.listen(0, "127.0.0.1"), "listening");
const { port } = inner.address() as AddressInfo;
let found: string[] = [];
const resolve: Resolve = async () => found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
const strict = outbound({ loopback: false, resolve });
after(async () => {
  inner.close();
  await strict.close();
});

const it = await sandbox({ vendors: { outbound: strict } });
const owner = await signedIn(it);
const urlOf = (host: string) =>
  `${oneOf(random, ["https", "HTTPS"])}://${host}${oneOf(random, ["", `:${port}`, ":443"])}${oneOf(random, ["/", "", "/a?b=c"])}`;
const lost = (what: string, tried: number, wrong: readonly string[]) => {
  tell({ suite: "outbound", what, tried, lost: wrong.length });
  assert.deepEqual(wrong.slice(0, 20), []);
};

test("internal addresses are rejected in every radix, script and embedding", () =>
  seeded(async () => {
    const wrong: string[] = [];
    for (let i = 0; i < spellings; i += 1) {
      const url = urlOf(insideHost(random));
      if (strict.judge(url) === null) wrong.push(url);
    }
    lost("spellings of internal addresses", spellings, wrong);
  }));

test("public addresses are allowed in every spelling", () =>
  seeded(async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (let i = 0; i < spellings; i += 1) {
      const url = urlOf(outsideHost(random));
      // Skip hosts that the URL parser rejects.
      if (!URL.canParse(url)) continue;
      tried += 1;
      if (strict.judge(url) !== null) wrong.push(url);
    }
    assert.ok(tried > spellings / 2);
    lost("spellings of public addresses", tried, wrong);
  }));

test("a hostname is rejected when any of its current addresses is internal, and nothing is contacted", () =>
  seeded(async () => {
    const wrong: string[] = [];
    for (let i = 0; i < looksUp; i += 1) {
      const inside = plainOf(insideHost(random));
      found = [plainOf(outsideHost(random)), inside].filter(() => random() < 0.9);
      if (!found.includes(inside)) found.push(inside);
      const answer = await strict.post({
        url: `https://name.example.com:${port}/`,
        headers: {},
        body: "{}",
        timeoutMs: 20_000,
      });
      if (answer.kind !== "failed" || answer.error !== "address not allowed") wrong.push(found.join(" "));
    }
    lost("hostnames with an internal address", looksUp, wrong);
    assert.equal(hits, 0);
  }));

/** Returns the address that a URL parser reads from a spelling, as a DNS server would answer it. */
function plainOf(host: string): string {
  const url = `https://${host}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, "") : "127.0.0.1";
}

const hosts = [...insideHosts, ...Array.from({ length: generated }, () => insideHost(random))];

test("a webhook to an internal address cannot be created, updated or tested, and gets no delivery", () =>
  seeded(async () => {
    const { uuid } = await it.brand();
    const base = `/api/brands/${uuid}/sandbox/webhooks`;
    const authentication = { type: "none" };
    const made = await owner.call("POST", base, { url: "https://brand.example/hook", authentication });
    const one = `${base}/${made.body.uuid}`;
    const wrong: string[] = [];
    for (const host of hosts) {
      const url = `https://${host}:${port}/`;
      const statuses = [
        (await owner.call("POST", base, { url, authentication })).status,
        (await owner.call("PATCH", one, { url })).status,
      ];
      if (statuses.some((status) => status !== 400)) wrong.push(`${url}: ${statuses}`);
    }
    await it.store.db.deleteFrom("webhook_endpoint").where("brand_uuid", "=", uuid).execute();
    // Store webhooks anyway, as if their addresses had been public when they were created.
    let sent = 0;
    const vendors = { ...it.deps.vendors, outbound: { ...strict, judge: () => null } };
    const lenient = { ...it.deps, vendors };
    for (const host of hosts.filter((_, at) => isLong || at % 8 === 0)) {
      sent += 1;
      const endpoint = { url: `https://${host}:${port}/`, authentication: { type: "none" as const } };
      const { uuid: webhook } = await defineEndpoint(lenient, uuid, endpoint);
      const { status } = await owner.call("POST", `${base}/${webhook}/test`, {});
      if (status !== 400) wrong.push(`${endpoint.url}: ${status}`);
      await sendTest(lenient, { uuid: webhook });
      await it.runJobs();
      await it.store.db.updateTable("webhook_endpoint").set({ deleted_at: 1 }).where("uuid", "=", webhook).execute();
    }
    lost("webhooks created, updated and tested", hosts.length * 2 + sent, wrong);
    const attempts = await it.store.db.selectFrom("webhook_attempt").select(["error", "http_status"]).execute();
    const others = attempts.filter(({ error }) => error !== "address not allowed").map((line) => JSON.stringify(line));
    assert.ok(attempts.length >= sent);
    lost("deliveries to an internal address", attempts.length, others);
    assert.equal(hits, 0);
  }));

test("a redirect to an internal address is not followed", () =>
  seeded(async () => {
    let location = "";
    const redirecting = createServer(
      (_request, response) => void response.writeHead(oneOf(random, [301, 302, 303, 307, 308]), { location }).end(),
    );
    await once(redirecting.listen(0, "127.0.0.1"), "listening");
    const near = outbound({ loopback: true, resolve });
    const wrong: string[] = [];
    const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
    for (const host of [...insideHosts, `127.0.0.1:${port}`]) {
      location = new URL(URL.canParse(`http://${host}/`) ? `http://${host}/` : `http://127.0.0.1:${port}/`).href;
      const answer = await near.post({ url, headers: {}, body: "{}", timeoutMs: 20_000 });
      if (answer.kind !== "answered" || Math.floor(answer.status / 100) !== 3) wrong.push(location);
    }
    await near.close();
    redirecting.close();
    lost("redirects", insideHosts.length + 1, wrong);
    assert.equal(hits, 0);
  }));
