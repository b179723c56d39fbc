// rest: the short form of a proof with a long form
/**
 * Sends generated requests, based on the contract's schemas, to every route of every listener, and checks that
 * each endpoint declares the answer it gives. The inputs depend only on the seed, not on concurrent requests.
 */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { ownHeaders, phoneOnRecord, signIn } from "../harness/account-page.ts";
import { freshPhone } from "../harness/below-http.ts";
import type { Both } from "../harness/both-environments.ts";
import { cookieOf, signedIn } from "../harness/dashboard-member.ts";
import { assertDeclared, type Seen } from "../harness/fuzz/answers.ts";
import { type Asking, requestsOf } from "../harness/fuzz/requests.ts";
import type { Hints } from "../harness/fuzz/schema-arbitrary.ts";
import { oneOf } from "../harness/fuzz/wire-bytes.ts";
import { frameOfKey } from "../harness/sandbox.ts";
import { chance, isLong, seed, seeded, tell } from "../harness/seeded-run.ts";
import { type ListenerName, listenersOf, type Route } from "../harness/served-routes.ts";
import { brandTypes, openForTenants, type Population, populate } from "../harness/tenants.ts";

type Headers = Record<string, string>;
const inputsMin = isLong ? Number(process.env.INPUTS ?? 1_000_000) : 3_000;
/** Inputs to a route before the next route's turn. After all routes, the next round starts. */
const inputsOfRoute = isLong ? 150 : 12;
/** At least this many routes must accept an input. The long form reaches more. */
const acceptedMin = 40;
/** Requests that run at the same time. */
const workers = 8;

/** These routes remove what other routes need, so they come last in a round. */
const last = /reset|clock|\/api\/members\/:uuid|\/api\/account\/(deletion|new-holder|sign-out)|\/api\/session$/;
const random = chance();

let it: Both;
let them: Population;
/** Real ids and values, so that some requests find existing data. */
const hints: Hints = (name) => {
  if (name === "phone" || name === "to" || name === "from") return phones;
  if (name === "code") return ["111111", "000000"];
  if (name === "environment") return ["sandbox", "production"];
  if (name === "birthDate") return ["1989-08-01"];
  if (name === "version") return ["1", "2"];
  return name === "brand" || /uuid|^id$|key|webhook|delivery|line|token|page|signIn/i.test(name)
    ? idsFor(name)
    : undefined;
};
/** Leaves out listeners: a call that takes from a listener waits for its next delivery. */
const withoutListeners: Hints = (name) => {
  const listening = new Set(them.things.filter(({ kind }) => kind.startsWith("webhook_endpoint")).map(({ id }) => id));
  return hints(name)?.filter((id) => !listening.has(id));
};
const phones = ["+12125550010", "+10019999997", "+12025550143", "+16502530000", "+1"];

function idsFor(name: string): string[] {
  const wanted =
    name === "brand" ? /brand\.uuid/ : name === "key" ? /api_key\.uuid/ : name === "line" ? /request_log\.id/ : /./;
  return them.things.filter(({ kind }) => wanted.test(kind)).map(({ id }) => id);
}

/** Results of all rounds. */
const counts = new Map<ListenerName, number>();
const accepted = new Set<string>();
const refused = new Set<string>();
const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0);

test("every response to generated input is one that the endpoint declares", async (t) => {
  let isWhole = true;
  for (let round = 0; isWhole && total() < inputsMin; round += 1) {
    isWhole = false;
    await t.test(`round ${round}`, async () => {
      await seeded(() => fuzzAll(round));
      isWhole = true;
    });
  }
  if (!isWhole) return;
  for (const [name, count] of counts) tell({ suite: "fuzz", what: `inputs to ${name}`, tried: count, lost: 0 });
  tell({ suite: "fuzz", what: "routes that accepted an input", tried: accepted.size, lost: 0 });
  // If every input is refused, the suite tests nothing. Some routes need the signature of an authenticator or a vendor.
  assert.ok(accepted.size > acceptedMin, [...refused].filter((one) => !accepted.has(one)).join("\n"));
});

/** Runs a round with a new service and database, so that data used up by earlier rounds exists again. */
async function fuzzAll(round: number): Promise<void> {
  it = await openForTenants();
  them = await populate(it);
  const routes = routesInTurn();
  for (const [at, { name, route }] of routes.entries()) {
    const done = await fuzz(name, route, seed + round * routes.length + at);
    counts.set(name, (counts.get(name) ?? 0) + done);
  }
}

function routesInTurn(): { name: ListenerName; route: Route }[] {
  const listeners = listenersOf(it);
  return (Object.keys(listeners) as ListenerName[])
    .flatMap((name) => listeners[name].map((route) => ({ name, route })))
    .toSorted((a, b) => Number(last.test(a.route.path)) - Number(last.test(b.route.path)));
}

const nameOf = (name: string, { method, path }: Route) => `${name} ${method} ${path}`;

async function fuzz(name: ListenerName, route: Route, ownSeed: number): Promise<number> {
  const askings = fc.sample(requestsOf(route, route.path.endsWith("/take") ? withoutListeners : hints), {
    seed: ownSeed,
    numRuns: inputsOfRoute,
  });
  const callers = await callersOf(name, route);
  const work = askings.values();
  const worker = async () => {
    for (const asking of work) {
      let seen: Seen | null = null;
      try {
        seen = await ask(route, asking, oneOf(random, callers)());
        assertDeclared(route, seen, asking);
        assert.deepEqual(errors(), []);
      } catch (error) {
        throw new Error(`${nameOf(name, route)} as ${shown(asking)}\n→ ${seen?.status} ${seen?.text.slice(0, 1_000)}`, {
          cause: error,
        });
      }
      (seen.status < 400 ? accepted : refused).add(nameOf(name, route));
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  it.log.length = 0;
  return askings.length;
}

const shown = ({ url, headers, payload }: Asking) =>
  [url.slice(0, 500), JSON.stringify(headers), String(payload).slice(0, 1_500)].join("\n");

const errors = () => it.log.filter(({ level }) => level === "error");

let asked = 0;
async function ask({ app, method }: Route, { url, headers, payload }: Asking, own: Headers): Promise<Seen> {
  asked += 1;
  const response = await app.inject({
    method,
    url,
    // Calls without a key are rate limited by address, so each call uses another address.
    remoteAddress: `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`,
    headers: { ...headers, ...own },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.body };
}

/** Returns callers with valid credentials for a route, and one without. */
async function callersOf(name: ListenerName, { path, endpoint }: Route): Promise<(() => Headers)[]> {
  const anon = () => ({});
  const keys = (of: readonly { apiKey: string }[]) =>
    of.map(({ apiKey }) => () => ({ authorization: apiKey }));
  if (name === "api") return [...keys(brandTypes.map((type) => them.brands[type])), ...keys([them.brands.api]), anon];
  if (name === "realApi") return [...keys([them.real, ...them.realOthers]), anon];
  const ownSite = { "sec-fetch-site": "same-origin" };
  if (name === "dashboard") {
    // Use a separate session, because some calls end it.
    const { token } = endpoint?.auth === "member" ? await signedIn(it) : them.owner;
    return [() => ({ cookie: cookieOf(token), ...ownSite }), () => ownSite];
  }
  if (path.startsWith("/api/account") && name === "wallet") {
    const cookie = (await signIn(it, await phoneOnRecord(it))).cookie();
    const own = await ownHeaders(it.wallet, cookie);
    return [() => own, () => ownSite];
  }
  if (path.startsWith("/api/session/") && name === "wallet") return [await frameSession(), anon];
  if (path === "/api/page" || /^\/api\/page\/(inputs|decision|health)/.test(path)) return [await pageSession(), anon];
  return [() => ownSite];
}

// Create new brands, because the keys of the others may have been revoked.
async function frameSession(): Promise<() => Headers> {
  const { api } = await it.brand({ integrationType: "sdk" });
  const { sessionKey } = (await api.createSession()).body;
  const payload = { sessionKey, frame: frameOfKey(sessionKey) };
  const opened = await it.wallet.inject({ method: "POST", url: "/api/session", payload });
  return () => ({ authorization: opened.json().sessionToken });
}

async function pageSession(): Promise<() => Headers> {
  const phone = freshPhone();
  const { api } = await it.brand({ integrationType: "hosted", consent: { declared: true } });
  const begun = (await api.beginOneClick({ body: { phone } })).body;
  const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
  const proven = await it.wallet.inject({
    method: "POST",
    url: `/api/page/${page}/code`,
    payload: { code: begun.code },
  });
  return () => ({ authorization: proven.json().sessionToken });
}
