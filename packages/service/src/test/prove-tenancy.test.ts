/**
 * T14: whatever is one tenant's, under every route that takes an id, asked for by everybody else: it is answered as what
 * does not exist, to the byte, and nothing in the database is another. Routes and ids are read from listeners and tables.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import test, { before } from "node:test";
import { cookieOf } from "./dashboard-member.ts";
import { changedSince, rowsOf } from "./database-contents.ts";
import { chance, isLong, seeded, tell } from "./proof.ts";
import { type ListenerName, listenersOf, type Route } from "./routes-of.ts";
import { type Place, placesOf, requestOf } from "./tenancy-requests.ts";
import { brandTypes, openForTenants, type Population, populate, type Thing } from "./tenants.ts";

type Headers = Record<string, string>;
/** Somebody who asks, and what they fill the other parameters of a path with. */
type Asker = { name: string; headers: Headers; own: Record<string, string> };
type Try = { route: Route; place: Place; asker: Asker; thing: Thing };

const it = await openForTenants();
const listeners = listenersOf(it);
/** Of each kind, in the short form and the long. */
const idsOfKindMax = isLong ? 4 : 1;
/** Of each kind, of which one at least must be what a place is for. */
const knownOfKindMax = 12;
/** The long form tries all there are. */
const drawnMax = 800;

/**
 * Heard only after a step that the owner here has not taken: the carrier's, an authenticator's, an attempt that waits, a
 * value that was typed, a proof of the phone that a session is made with. Until then they are told as little.
 */
const furtherOn = [/\/device\/:token\/result$/, /passkeys?\/:uuid$/, /\/answers$/, /\/values$/, /\/client\/1-click$/];
const workers = 8;
/** Signed by a vendor, who knows all of its texts. */
const byVendors = /^\/callbacks\//;
/** Public by what it is: a brand's colours, name and picture. */
const open = [/^\/look\//];

let them: Population;
before(async () => {
  them = await populate(it);
});

/** Those who are not the owner, before each listener; by which routes they are strangers to what is named. */
function askersOf(name: ListenerName): Asker[] {
  const own = {};
  const ofBrands = (which: "same" | "other") =>
    brandTypes.map((type) => ({
      name: `${which} ${type}`,
      headers: { authorization: them.others[which][type].apiKey },
      own,
    }));
  const nobody = { name: "nobody", headers: {}, own };
  const real = them.realOthers.map(({ apiKey }, at) => ({
    name: `real ${at}`,
    headers: { authorization: apiKey },
    own,
  }));
  const itself = { name: "the brand, elsewhere", headers: { authorization: them.real.apiKey }, own };
  if (name === "api") return [...ofBrands("same"), ...ofBrands("other"), nobody, ...real];
  if (name === "realApi") return [...real, itself, nobody, ...ofBrands("same").slice(0, 1)];
  if (name === "wallet" || name === "realWallet")
    return [{ name: "another person", headers: { cookie: them.secondPerson.cookie(), ...ownSite }, own }, nobody];
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
    { ...nobody, headers: ownSite, own: { brand: brands.api.uuid, environment: "sandbox" } },
  ];
}
const ownSite = { "sec-fetch-site": "same-origin" };

/** Whether it is the asker's own to see, by what the route says it is for. */
function mayBeTheirs({ route, place, asker, thing }: Try, listener: ListenerName): boolean {
  if (open.some((one) => one.test(route.path))) return true;
  const isWord =
    /^(page|link|device.*|sessionKey|unopened)$/.test(thing.kind) || /^(sign_in|passkey_challenge)\./.test(thing.kind);
  if (isWord && thing.environment === environmentOf(listener) && route.endpoint?.auth !== "brandKey") return true;
  if (asker.name === "the brand, elsewhere") return thing.environment === "production" || thing.id === them.real.uuid;
  // A customer's keys drive its whole sandbox; its members are one team.
  if (route.endpoint?.auth === "sandboxControl") return asker.name.startsWith("same");
  // Rows of several tables are numbered alike: a number of another table may be that of a line of one's own.
  if (isNumber(thing.id) && thing.kind !== "request_log.id") return true;
  if (listener !== "dashboard" || !asker.name.startsWith("colleague")) return false;
  return place.name === "brand" || route.path.startsWith("/api/members/");
}

const environmentOf = (name: ListenerName) => (name.startsWith("real") ? "production" : "sandbox");

/** What answers an id, or what is no id, without what every answer has of its own. */
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
  // What was made for the asker is another thing each time.
  return response.statusCode === 201 ? known.replaceAll(madeAnew, "NEW") : known;
}

const madeAnew = /[0-9a-f-]{36}|(?<=request\/)\w+|(?<="code":")\d+|(?<="(sessionToken|page)":")\w+/g;

let asked = 0;
/** Whoever has no key is counted by address: each call comes from another. */
function addressAt(): string {
  asked += 1;
  return `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`;
}

const random = chance();
/** What has an id's form and is nobody's. */
function unlike(id: string): string {
  if (isUuid(id)) return randomUUID();
  if (isNumber(id)) return `9${id}`.padStart(12, "9").slice(-12);
  return id.replaceAll(/\w/g, () => Math.floor(random() * 36).toString(36));
}

/** All pairs in the long form; else as many as are drawn: to make them all takes longer than to try some. */
function triesAt(name: ListenerName): Try[] {
  const things = firstOfKinds(them.things);
  const places = listeners[name].flatMap((route) => placesOf(route, them.phone).map((place) => ({ route, place })));
  const askers = askersOf(name);
  const isMeant = (one: Try) => fits(one.place, one.thing) && !mayBeTheirs(one, name);
  if (isLong)
    return places
      .flatMap((at) => askers.flatMap((asker) => things.map((thing): Try => ({ ...at, asker, thing }))))
      .filter(isMeant);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] ?? assert.fail("there is none");
  const drawn = Array.from({ length: drawnMax }, () => ({
    ...oneOf(places),
    asker: oneOf(askers),
    thing: oneOf(things),
  }));
  return drawn.filter(isMeant);
}

const isUuid = (id: string) => /^[0-9a-f]{8}-/.test(id);
const isNumber = (id: string) => /^\d+$/.test(id);
/** Words and uuids stand for each other where nothing says which it is. */
const fits = ({ takes }: Place, { id }: Thing) =>
  takes === "uuids" ? isUuid(id) : takes === "numbers" ? isNumber(id) : !isNumber(id);

function firstOfKinds(things: readonly Thing[], most = idsOfKindMax): Thing[] {
  const kinds = Map.groupBy(things, ({ kind, environment }) => `${kind} ${environment}`);
  return [...kinds.values()].flatMap((ofKind) => ofKind.slice(0, most));
}

const describe = ({ route, place, asker, thing }: Try) =>
  `${asker.name} ${route.method} ${route.path} ${place.name}=${thing.kind}`;

for (const name of Object.keys(listeners) as ListenerName[])
  test(`${name}: what is another's is as unknown as what does not exist, and stays as it is`, () =>
    seeded(async () => {
      const tries = triesAt(name);
      assert.ok(tries.length > 0);
      const was = await rowsOf(it);
      const leaks: string[] = [];
      const work = tries.values();
      const worker = async () => {
        for (const one of work) {
          const [theirs, nothing] = [await ask(one, one.thing.id), await ask(one, unlike(one.thing.id))];
          if (theirs !== nothing)
            leaks.push(`${describe(one)}:\n  ${theirs.slice(0, 500)}\n  ${nothing.slice(0, 500)}`);
        }
      };
      await Promise.all(Array.from({ length: workers }, worker));
      tell({ suite: "tenancy", what: `${name}: pairs of id and asker`, tried: tries.length, lost: leaks.length });
      assert.deepEqual(leaks.slice(0, 20), []);
      assert.deepEqual(changedSince(was, await rowsOf(it)), []);
    }));

/** After the others, because an owner's call may change what it names. */
test("every route that takes an id takes one of those tried: its owner is answered otherwise than for nothing", () =>
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

/** Reading uses nothing up; then whatever a person does on their word, and at last what takes things away. */
function turnOf({ name, route: { method, path } }: { name: ListenerName; route: Route }): number {
  if (method === "GET") return 0;
  if (method === "DELETE") return 4;
  return path.endsWith("/stop") ? 3 : name === "wallet" ? 1 : 2;
}

/** An endpoint is one under all of its prefixes; a parameter with a name of its own is one wherever it stands. */
function whatIs(name: ListenerName, { method, path, endpoint }: Route, place: Place): string {
  const isOwnName = place.in === "path" && name === "dashboard" && place.name !== "uuid";
  return isOwnName ? `${name} :${place.name}` : `${endpoint?.id ?? `${method} ${path}`} ${place.name}`;
}

/** What was found last is tried first: neighbouring routes are about the same. */
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

/** What an owner is told of the first thing of theirs: why a place is not reached. */
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
    // Beside an id in a body the path may name what it is part of.
    (place.in === "body" ? [own, ...hooks] : [own]).map((mine) => ({
      name: type,
      headers: { authorization: them.brands[type].apiKey },
      own: mine,
    })),
  );
  const nobody = { name: "nobody", headers: {}, own };
  if (name === "api") return [...keys, nobody];
  if (name === "wallet") return [{ name: "person", headers: { cookie: them.person.cookie(), ...ownSite }, own }];
  return [{ name: "owner", headers: { cookie: cookieOf(them.owner.token), ...ownSite }, own }];
}
