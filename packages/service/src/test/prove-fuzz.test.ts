/**
 * T12: generated requests to every route of every listener, from the contract's schemas: each answer is one that its
 * endpoint declares. Seeded: the inputs follow from the seed, whatever the others that are under way have changed meanwhile.
 */
import assert from "node:assert/strict";
import test, { before } from "node:test";
import fc from "fast-check";
import { signIn } from "./account-page.ts";
import { freshPhone } from "./beneath.ts";
import { cookieOf, signedIn } from "./dashboard-member.ts";
import { assertDeclared, type Seen } from "./fuzz-answers.ts";
import { type Asking, askingsOf } from "./fuzz-requests.ts";
import { frameOfKey } from "./harness.ts";
import { chance, isLong, seed, seeded, tell } from "./proof.ts";
import { type ListenerName, listenersOf, type Route } from "./routes-of.ts";
import type { Hints } from "./schema-arbitrary.ts";
import { brandTypes, openForTenants, type Population, populate } from "./tenants.ts";
import { oneOf } from "./wire-bytes.ts";

type Headers = Record<string, string>;
const inputsMin = isLong ? Number(process.env.INPUTS ?? 1_000_000) : 3_000;
/** Inputs to a route before the next is asked; after a round all ids, keys and sessions are new. */
const inputsOfRoute = isLong ? 150 : 12;
/** Routes that take an input of those: the long form finds more. */
const acceptedMin = 40;
/** Under way at once. */
const workers = 8;

const it = await openForTenants();
const listeners = listenersOf(it);
/** These end what the others stand on, and come last in a round. */
const last = /reset|clock|\/api\/members\/:uuid|\/api\/account\/(deletion|new-holder|sign-out)|\/api\/session$/;
const routes = (Object.keys(listeners) as ListenerName[])
  .flatMap((name) => listeners[name].map((route) => ({ name, route })))
  .toSorted((a, b) => Number(last.test(a.route.path)) - Number(last.test(b.route.path)));
const random = chance();

let them: Population;
/** Real ids and words, so that what is asked is there now and then. */
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
/** Whoever fetches from a listener of theirs waits for what comes. */
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

before(async () => {
  them = await populate(it);
});

test("whatever is sent to any route, the answer is one that is declared", () =>
  seeded(async () => {
    const counts = new Map<string, number>();
    const accepted = new Set<string>();
    let tried = 0;
    for (let round = 0; tried < inputsMin; round += 1) {
      if (round > 0) {
        // What people were texted, and did not want to be: the round before counts no more.
        await it.store.pool.query("truncate use_count, text_stop, challenge_attempt");
        them = await populate(it);
      }
      for (const { name, route } of routes) {
        const done = await fuzz(name, route, { round, accepted });
        tried += done;
        counts.set(name, (counts.get(name) ?? 0) + done);
      }
    }
    for (const [name, count] of counts) tell({ suite: "fuzz", what: `inputs to ${name}`, tried: count, lost: 0 });
    assert.ok(tried >= inputsMin);
    const untouched = routes.filter(({ name, route }) => !accepted.has(nameOf(name, route)));
    tell({ suite: "fuzz", what: "routes that accepted an input", tried: accepted.size, lost: 0 });
    // A suite that everything refuses tries nothing; some need an authenticator's or a vendor's signature.
    assert.ok(accepted.size > acceptedMin, untouched.map(({ name, route }) => nameOf(name, route)).join("\n"));
  }));

const nameOf = (name: string, { method, path }: Route) => `${name} ${method} ${path}`;

async function fuzz(
  name: ListenerName,
  route: Route,
  { round, accepted }: { round: number; accepted: Set<string> },
): Promise<number> {
  const askings = fc.sample(askingsOf(route, route.path.endsWith("/take") ? withoutListeners : hints), {
    seed: seed + round * routes.length + routes.findIndex((one) => one.route === route),
    numRuns: inputsOfRoute,
  });
  const callers = await callersOf(name, route);
  const work = askings.values();
  const worker = async () => {
    for (const asking of work) {
      const seen = await ask(route, asking, oneOf(random, callers)());
      if (seen.status < 400) accepted.add(nameOf(name, route));
      try {
        assertDeclared(route, seen, asking);
        assert.deepEqual(errors(), []);
      } catch (error) {
        const { url, headers, payload } = asking;
        const shown = [
          `${nameOf(name, route)} as ${url.slice(0, 500)}`,
          JSON.stringify(headers),
          String(payload).slice(0, 1_500),
        ];
        throw new Error(`${shown.join("\n")}\n→ ${seen.status} ${seen.text.slice(0, 1_000)}`, { cause: error });
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  it.log.length = 0;
  return askings.length;
}

const errors = () => it.log.filter(({ level }) => level === "error");

let asked = 0;
async function ask({ app, method }: Route, { url, headers, payload }: Asking, own: Headers): Promise<Seen> {
  asked += 1;
  const response = await app.inject({
    method,
    url,
    // Whoever has no key is counted by address: each call comes from another.
    remoteAddress: `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`,
    headers: { ...headers, ...own },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.body };
}

/** Those who may call, with what shows that they may; one of them is somebody who may not. */
async function callersOf(name: ListenerName, { path, endpoint }: Route): Promise<(() => Headers)[]> {
  const nobody = () => ({});
  const keys = (of: readonly { apiKey: string }[]) =>
    of.map(({ apiKey }) => () => ({ authorization: apiKey }));
  if (name === "api") return [...keys(brandTypes.map((type) => them.brands[type])), ...keys([them.brands.api]), nobody];
  if (name === "realApi") return [...keys([them.real, ...them.realOthers]), nobody];
  const ownSite = { "sec-fetch-site": "same-origin" };
  if (name === "dashboard") {
    // Their own session, because some calls end it.
    const { token } = endpoint?.auth === "member" ? await signedIn(it) : them.owner;
    return [() => ({ cookie: cookieOf(token), ...ownSite }), () => ownSite];
  }
  if (path.startsWith("/api/account") && name === "wallet") {
    const cookie = (await signIn(it, freshPhone())).cookie();
    return [() => ({ cookie, ...ownSite }), () => ownSite];
  }
  if (path.startsWith("/api/session/") && name === "wallet") return [await frameSession(), nobody];
  if (path === "/api/page" || /^\/api\/page\/(inputs|decision|health)/.test(path)) return [await pageSession(), nobody];
  return [() => ownSite];
}

async function frameSession(): Promise<() => Headers> {
  const { sessionKey } = (await it.as(them.brands.sdk.apiKey).createSession()).body;
  const payload = { sessionKey, frame: frameOfKey(sessionKey) };
  const opened = await it.wallet.inject({ method: "POST", url: "/api/session", payload });
  return () => ({ authorization: opened.json().sessionToken });
}

async function pageSession(): Promise<() => Headers> {
  const phone = freshPhone();
  const begun = (await it.as(them.brands.hosted.apiKey).beginOneClick({ body: { phone } })).body;
  const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
  const proven = await it.wallet.inject({
    method: "POST",
    url: `/api/page/${page}/code`,
    payload: { code: begun.code },
  });
  return () => ({ authorization: proven.json().sessionToken });
}
