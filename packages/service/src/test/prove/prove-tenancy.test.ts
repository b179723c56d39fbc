// rest: requests every route with the ids of every table
// alone: opens several services, which together need 500 MB
/**
 * Everyone else requests the objects of one tenant, on every route of the listeners and with the ids in the
 * tables. The answer must equal, byte for byte, the answer for an id that does not exist, and no row may change.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test, { before } from "node:test";
import { cookieOf } from "../harness/dashboard-member.ts";
import { changedSince, rowsOf } from "../harness/database-contents.ts";
import { chance, isLong, seeded, tell } from "../harness/seeded-run.ts";
import { type ListenerName, listenersOf, type Route } from "../harness/served-routes.ts";
import { type Place, placesOf, requestOf } from "../harness/tenancy-requests.ts";
import { brandTypes, openForTenants, type Population, populate, type Thing } from "../harness/tenants.ts";

type Headers = Record<string, string>;
/** A caller, and its values for the other parameters of a path. */
type Asker = { name: string; headers: Headers; own: Record<string, string> };
type Try = { route: Route; place: Place; asker: Asker; thing: Thing };

const it = await openForTenants();
const listeners = listenersOf(it);
/** Ids of each kind that are tried. */
const idsOfKindMax = isLong ? 4 : 1;
/** Ids of each kind for the last test. At least one of them must fit each place. */
const knownOfKindMax = 12;
/** Random combinations that the short form tries. The long form tries all. */
const drawnMax = 800;

/**
 * These routes need a step that the owner has not taken here: the answer of a carrier or an authenticator, a pending
 * attempt, a typed value, or a proven phone for a session. Until then, the owner gets the same answer as others.
 */
const furtherOn = [
  /\/device\/:token\/result$/,
  /passkeys?\/:uuid$/,
  /\/answers$/,
  /\/values$/,
  /\/client\/1-click$/,
  // Needs the carrier's answer for this very session. `session-frame.test.ts` tries another session's.
  /^\/api\/session\/continue$/,
  // Opened by the cookie of the browser in which it began. `openid-attacks.test.ts` tries other browsers.
  /^\/openid\/interaction\//,
  // Known only to the browser that began it. `openid.test.ts` tries foreign ones.
  /^\/api\/sign-in-openid\/:uuid$/,
  // A credential that was taken out, and a request to a wallet app: `takeout-ends` and `takeout-attacks` cover other people's.
  /^\/api\/account\/takeouts\//,
  /^\/credentials\/presentations\//,
  // Needs an open request of this very session. `page-state-id.test.ts` and `state-id.test.ts` try another one's.
  /^\/api\/page\/state-id\/answer$/,
];
const workers = 8;
/** A vendor signs these calls, and it may name any of its texts. */
const byVendors = /^\/callbacks\//;
/** Public by design: a brand's colors, name and logo, and what verifiers read about all credentials. */
const open = [/^\/look\//, /^\/credentials\/(types|status)\//];

let them: Population;
before(async () => {
  them = await populate(it);
});

/** Returns the callers, for each listener, that do not own the tested objects. */
function callersOf(name: ListenerName): Asker[] {
  const own = {};
  const ofBrands = (which: "same" | "other") =>
    brandTypes.map((type) => ({
      name: `${which} ${type}`,
      headers: { authorization: them.others[which][type].apiKey },
      own,
    }));
  const anon = { name: "anonymous", headers: {}, own };
  const real = them.realOthers.map(({ apiKey }, at) => ({
    name: `real ${at}`,
    headers: { authorization: apiKey },
    own,
  }));
  const itself = { name: "the brand, elsewhere", headers: { authorization: them.real.apiKey }, own };
  if (name === "api") return [...ofBrands("same"), ...ofBrands("other"), anon, ...real];
  if (name === "realApi") return [...real, itself, anon, ...ofBrands("same").slice(0, 1)];
  if (name === "wallet" || name === "realWallet")
    return [{ name: "another person", headers: them.anothersPage, own }, anon];
  const as = (who: string, { token }: { token: string }, brand: string, environment: string): Asker => ({
    name: who,
    headers: { cookie: cookieOf(token), ...ownSite },
    own: { brand, environment },
  });
  const { colleague, stranger, strangersBrand, brands, others } = them;
  return [
    as("stranger", stranger, strangersBrand, "sandbox"),
    as("stranger", stranger, strangersBrand, "production"),
    as("stranger at the brand", stranger, brands.api.uuid, "sandbox"),
    as("colleague", colleague, others.same.api.uuid, "sandbox"),
    as("colleague, elsewhere", colleague, brands.api.uuid, "production"),
    { ...anon, headers: ownSite, own: { brand: brands.api.uuid, environment: "sandbox" } },
  ];
}
const ownSite = { "sec-fetch-site": "same-origin" };

/** Returns whether the route is designed to let this caller see the object. */
function mayBeTheirs({ route, place, asker, thing }: Try, listener: ListenerName): boolean {
  if (open.some((one) => one.test(route.path))) return true;
  const isWord =
    /^(page|link|device.*|sessionKey|unopened)$/.test(thing.kind) || /^(sign_in|passkey_challenge)\./.test(thing.kind);
  if (isWord && thing.environment === environmentOf(listener) && route.endpoint?.auth !== "brandKey") return true;
  if (asker.name === "the brand, elsewhere") return thing.environment === "production" || thing.id === them.real.uuid;
  // Any key of a customer controls its whole sandbox, and its members belong to one team.
  if (route.endpoint?.auth === "sandboxControl") return asker.name.startsWith("same");
  // Rows of several tables share numbers, so a number may also be the id of the caller's own log line.
  if (isNumber(thing.id) && thing.kind !== "request_log.id") return true;
  if (listener !== "dashboard" || !asker.name.startsWith("colleague")) return false;
  return place.name === "brand" || route.path.startsWith("/api/members/");
}

const environmentOf = (name: ListenerName) => (name.startsWith("real") ? "production" : "sandbox");

/** Returns the answer for an id, without the parts that differ in every answer. */
async function ask({ route, place, asker }: Omit<Try, "thing">, id: string): Promise<string> {
  const { method, path, query, body } = requestOf(route, place, { own: asker.own, id });
  const response = await route.app.inject({
    method,
    url: query === "" ? path : `${path}?${query}`,
    remoteAddress: addressAt(),
    headers: { ...asker.headers, ...(body === undefined ? {} : { "content-type": body.type }) },
    ...(body === undefined ? {} : { payload: body.bytes }),
  });
  assert.notEqual(response.statusCode, 429, path);
  assert.ok(response.statusCode < 500, `${response.statusCode} to ${method} ${path}`);
  const { "x-request-id": requestId, date: _date, ratelimit: _left, ...headers } = response.headers;
  const text = `${response.statusCode} ${JSON.stringify(headers)} ${response.body}`;
  const common = text.replaceAll(String(requestId), "REQUEST");
  const known = isNumber(id) ? common : common.replaceAll(new RegExp(id, "gi"), "ID");
  // Created objects have new ids each time.
  return response.statusCode === 201 ? known.replaceAll(madeAnew, "NEW") : known;
}

const madeAnew = /[0-9a-f-]{36}|(?<=request\/)\w+|(?<="code":")\d+|(?<="(sessionToken|page)":")\w+/g;

let asked = 0;
/** Calls without a key are rate limited by address, so each call uses another address. */
function addressAt(): string {
  asked += 1;
  return `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
}

const random = chance();
/** Returns a random value that looks like the id but does not exist. */
function unlike(id: string): string {
  if (isUuid(id)) return randomUUID();
  if (isNumber(id)) return `9${id}`.padStart(12, "9").slice(-12);
  return id.replaceAll(/\w/g, () => Math.floor(random() * 36).toString(36));
}

/**
 * Returns all combinations in the long form, otherwise a random sample, because building all of them takes longer than
 * the tests.
 */
function triesAt(name: ListenerName): Try[] {
  const things = firstOfKinds(them.things);
  const places = listeners[name].flatMap((route) => placesOf(route, them.phone).map((place) => ({ route, place })));
  const askers = callersOf(name);
  const isMeant = (one: Try) => fits(one.place, one.thing) && !mayBeTheirs(one, name);
  if (isLong)
    return places
      .flatMap((at) => askers.flatMap((asker) => things.map((thing): Try => ({ ...at, asker, thing }))))
      .filter(isMeant);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] ?? assert.fail("no entry");
  const drawn = Array.from({ length: drawnMax }, () => ({
    ...oneOf(places),
    asker: oneOf(askers),
    thing: oneOf(things),
  }));
  return drawn.filter(isMeant);
}

/** A journey of the asker's own calls with an id. Under load, the log of calls may have those of one id only. */
const ownCalls = /"uuid":"ID","kind":"calls"/;

const isUuid = (id: string) => /^[0-9a-f]{8}-/.test(id);
const isNumber = (id: string) => /^\d+$/.test(id);
/** Places for words also accept uuids, because their schema does not declare which of the two they expect. */
const fits = ({ takes }: Place, { id }: Thing) =>
  takes === "uuids" ? isUuid(id) : takes === "numbers" ? isNumber(id) : !isNumber(id);

function firstOfKinds(things: readonly Thing[], most = idsOfKindMax): Thing[] {
  const kinds = Map.groupBy(things, ({ kind, environment }) => `${kind} ${environment}`);
  return [...kinds.values()].flatMap((ofKind) => ofKind.slice(0, most));
}

const describe = ({ route, place, asker, thing }: Try) =>
  `${asker.name} ${route.method} ${route.path} ${place.name}=${thing.kind}`;

for (const name of Object.keys(listeners) as ListenerName[])
  test(`${name}: another tenant's object gets the same response as an unknown id, and does not change`, () =>
    seeded(async () => {
      const tries = triesAt(name);
      assert.ok(tries.length > 0);
      const was = await rowsOf(it);
      const leaks: string[] = [];
      const work = tries.values();
      const worker = async () => {
        for (const one of work) {
          const [theirs, nothing] = [await ask(one, one.thing.id), await ask(one, unlike(one.thing.id))];
          if (theirs !== nothing && !ownCalls.test(theirs) && !ownCalls.test(nothing))
            leaks.push(`${describe(one)}:\n  ${theirs.slice(0, 500)}\n  ${nothing.slice(0, 500)}`);
        }
      };
      await Promise.all(Array.from({ length: workers }, worker));
      tell({ suite: "tenancy", what: `${name}: pairs of id and caller`, tried: tries.length, lost: leaks.length });
      assert.deepEqual(leaks.slice(0, 20), []);
      assert.deepEqual(changedSince(was, await rowsOf(it)), []);
    }));

/** Run this after the other tests, because an owner's call may change the object it names. */
test("every route with an id is covered, and its owner gets a different answer than for an unknown id", () =>
  seeded(async () => {
    const all = (["api", "wallet", "dashboard"] as const)
      .flatMap((name) => listeners[name].map((route) => ({ name, route })))
      .filter(({ route }) => ![...open, ...furtherOn].some((one) => one.test(route.path)))
      .toSorted((a, b) => turnOf(a) - turnOf(b));
    const found = new Set<string>();
    const missed = new Map<string, string>();
    for (const { name, route } of all)
      for (const place of placesOf(route, them.phone)) {
        const what = whatIs(name, route, place);
        if (found.has(what)) continue;
        if (await isKnown(name, route, place)) found.add(what);
        else missed.set(what, `${what} ${route.method} ${route.path}: ${await ownAnswer(name, route, place)}`);
      }
    const unknown = [...missed].filter(([what]) => !found.has(what)).map(([, line]) => line);
    const inSandbox = new Set([...listeners.api, ...listeners.wallet].map(({ method, path }) => `${method} ${path}`));
    for (const { method, path } of [...listeners.realApi, ...listeners.realWallet])
      if (path.includes(":") && !byVendors.test(path) && !inSandbox.has(`${method} ${path}`)) unknown.push(path);
    assert.deepEqual(unknown, []);
  }));

/**
 * Orders the routes: reads first, then the person's own calls and other changes, and last the calls that revoke or
 * delete.
 */
function turnOf({ name, route: { method, path } }: { name: ListenerName; route: Route }): number {
  if (method === "GET") return 0;
  if (method === "DELETE") return 4;
  return path.endsWith("/stop") ? 3 : name === "wallet" ? 1 : 2;
}

/**
 * Names a place. An endpoint is the same place under all prefixes; a parameter with a specific name is the same on all
 * routes.
 */
function whatIs(name: ListenerName, { method, path, endpoint }: Route, place: Place): string {
  const isOwnName = place.in === "path" && name === "dashboard" && place.name !== "uuid";
  return isOwnName ? `${name} :${place.name}` : `${endpoint?.id ?? `${method} ${path}`} ${place.name}`;
}

/**
 * The count of requests when a kind or caller last fit. The latest is tried first, because neighboring routes are
 * similar.
 */
const foundAt = new Map<string, number>();
const lately = (name: string) => -(foundAt.get(name) ?? 0);

async function isKnown(name: ListenerName, route: Route, place: Place): Promise<boolean> {
  const things = firstOfKinds(them.things, knownOfKindMax).toSorted((a, b) => lately(a.kind) - lately(b.kind));
  for (const asker of ownersOf(name, place).toSorted((a, b) => lately(a.name) - lately(b.name))) {
    const nothing = await ask({ route, place, asker }, randomUUID());
    for (const { id, kind } of things.filter((thing) => fits(place, thing))) {
      if ((await ask({ route, place, asker }, id)) === nothing) continue;
      for (const found of [kind, asker.name]) foundAt.set(found, asked);
      return true;
    }
  }
  return false;
}

/** Returns the owner's answer for the brand's uuid, to show why a place was not reached. */
async function ownAnswer(name: ListenerName, route: Route, place: Place): Promise<string> {
  const [asker] = ownersOf(name, place);
  return asker === undefined ? "" : await ask({ route, place, asker }, them.brands.api.uuid);
}

function ownersOf(name: ListenerName, place: Place): Asker[] {
  const own = { brand: them.brands.api.uuid, environment: "sandbox", line: them.line };
  const hooks = them.things
    .filter(({ kind }) => kind === "webhook_endpoint.uuid")
    .map(({ id }) => ({ ...own, uuid: id }));
  const keys = brandTypes.flatMap((type) =>
    // If the id is in the body, the path may need the uuid of a webhook that it belongs to.
    (place.in === "body" ? [own, ...hooks] : [own]).map((mine) => ({
      name: type,
      headers: { authorization: them.brands[type].apiKey },
      own: mine,
    })),
  );
  const anon = { name: "anonymous", headers: {}, own };
  if (name === "api") return [...keys, anon];
  if (name === "wallet") return [{ name: "person", headers: them.ownPage, own }];
  return [{ name: "owner", headers: { cookie: cookieOf(them.owner.token), ...ownSite }, own }];
}
