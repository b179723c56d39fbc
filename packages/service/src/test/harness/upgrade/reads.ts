/** What every kind of caller reads of a filled database, and the answers, to compare them after an upgrade. */
import { isDeepStrictEqual } from "node:util";
import type { FastifyInstance, HTTPMethods } from "fastify";
import { hashApiKey } from "../../../domain/brand/api-key.ts";
import { declaredEndpoints } from "../contract-endpoints.ts";
import { cookieOf } from "../dashboard-member.ts";
import type { Held } from "./fill.ts";
import type { Upgradable } from "./open.ts";

type Place = "api" | "wallet" | "dashboard" | "console" | "production";
export type Read = { at: Place; method: "GET" | "POST"; url: string; headers: Record<string, string>; body?: unknown };
export type Answered = Read & { status: number; answer: unknown };

/** In the order in which they are sent: a brand's own reads are counted, and members see the counts. */
export async function readsOf(it: Upgradable, held: Held): Promise<Read[]> {
  return [
    ...(await byMembers(it, held)),
    ...byOperators(held),
    ...(await byBrands(it, held)),
    ...byPeople(held),
    ...byOthers(),
  ];
}

const ownSite = { "sec-fetch-site": "same-origin" };

/** What some reads need beside their path. */
const needed: Record<string, string> = { texts: "?environment=sandbox", "usage-csv": "?of=usage" };

/** The declared reads of one kind of caller, with these values in their paths. Those that need others are left out. */
function declared(auth: "member" | "operator", values: Record<string, string>): string[] {
  return declaredEndpoints
    .filter((one) => one.auth === auth && one.method === "GET")
    .map(({ path }) => path.replaceAll(/:(\w+)/g, (name, key: string) => values[key] ?? name))
    .filter((path) => !path.includes("/:"))
    .map((path) => `${path}${needed[path.split("/").at(-1) ?? ""] ?? ""}`);
}

async function byMembers(it: Upgradable, { owner, brands }: Held): Promise<Read[]> {
  const { rows } = await it.store.pool.query<{ delivery: string }>(
    "select uuid as delivery from webhook_delivery where brand_uuid = $1 order by created_at limit 1",
    [brands.hooked],
  );
  const places = [
    { brand: brands.sandbox, environment: "sandbox" },
    { brand: brands.hooked, environment: "sandbox", ...rows[0] },
    { brand: brands.production, environment: "production" },
  ];
  const urls = new Set(places.flatMap((values) => declared("member", values)));
  const headers = { ...ownSite, cookie: cookieOf(owner) };
  return [...urls].map((url) => ({ at: "dashboard", method: "GET", url, headers }));
}

function byOperators({ console, brands, people }: Held): Read[] {
  const headers = { ...ownSite, cookie: `countersign-operator=${console.token}` };
  const urls = declared("operator", { brand: brands.production });
  const body = { environment: "sandbox", phone: people.sharing.phone, reason: "Case 4711" };
  return [
    ...urls.map((url): Read => ({ at: "console", method: "GET", url, headers })),
    { at: "console", method: "POST", url: "/api/console/people", headers, body },
  ];
}

/** Each object of a brand, by the brand's key and in its generation of the API. */
async function byBrands(it: Upgradable, { keys, issued }: Held): Promise<Read[]> {
  const { rows } = await it.store.pool.query<{ kind: string; uuid: string; brand: string; environment: string }>(
    `select 'one_click' as kind, uuid, brand_uuid as brand, environment from one_click
     union all select 'verification', uuid, brand_uuid, environment from verification where brand_uuid is not null
     union all select 'health_lookup', uuid, brand_uuid, environment from health_lookup
     order by 1, 2`,
  );
  const paths: Record<string, string> = { one_click: "", verification: "verifications/", health_lookup: "health/" };
  const reads: Read[] = [];
  for (const [environment, all] of Object.entries(keys))
    for (const apiKey of new Set(all)) {
      const brand = await brandOf(it, environment, apiKey);
      for (const { kind, uuid, ...row } of rows) {
        if (row.brand !== brand.uuid) continue;
        const prefix = brand.isV1 && kind === "one_click" ? "" : "/v2";
        const at = environment === "production" ? "production" : "api";
        const url = `${prefix}/1-click/${paths[kind]}${uuid}`;
        reads.push({ at, method: "GET", url, headers: { authorization: `Bearer ${apiKey}` } });
      }
    }
  for (const id of [issued.valid, issued.revoked]) {
    const headers = { authorization: issued.apiKey };
    reads.push({ at: "api", method: "GET", url: `/v2/credentials/${id}`, headers });
  }
  return reads;
}

async function brandOf(it: Upgradable, environment: string, apiKey: string) {
  const { rows } = await it.store.pool.query<{ uuid: string; isV1: boolean }>(
    `select k.brand_uuid as uuid, s.settings->>'integrationType' = 'v1' as "isV1"
       from api_key k join brand_settings s on s.brand_uuid = k.brand_uuid and s.environment = k.environment
      where k.hash = $1 and k.environment = $2 order by s.version desc limit 1`,
    [hashApiKey(apiKey), environment],
  );
  return rows[0] ?? { uuid: "", isV1: false };
}

function byPeople({ people }: Held): Read[] {
  const names = ["", "/timeline", "/devices", "/download", "/takeouts"];
  return [people.sharing.cookie, people.copies.cookie].flatMap((cookie) =>
    names.map((name): Read => {
      return { at: "wallet", method: "GET", url: `/api/account${name}`, headers: { ...ownSite, cookie } };
    }),
  );
}

/** Published keys. */
function byOthers(): Read[] {
  const open = ["/openid/jwks", "/.well-known/jwt-vc-issuer/credentials"];
  return open.map((url) => ({ at: "wallet", method: "GET", url, headers: {} }));
}

export async function sendRead(it: Upgradable, { at, method, url, headers, body }: Read) {
  const listeners: Record<Place, FastifyInstance | null> = {
    api: it.app,
    wallet: it.wallet,
    dashboard: it.dashboard,
    console: it.operatorConsole,
    production: it.production.app,
  };
  const response = await listeners[at]?.inject({
    method: method as HTTPMethods & "GET",
    url,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  const type = String(response?.headers["content-type"]);
  const answer: unknown = type.includes("json") ? response?.json() : response?.body;
  return { status: response?.statusCode ?? 0, answer: comparable(answer) };
}

/**
 * Without what differs each time: an error's request, the size of a database, and the row at which a page of rows of
 * the same time ends, which have no order.
 */
function comparable(answer: unknown): unknown {
  const text = JSON.stringify(answer) ?? "null";
  return JSON.parse(
    text
      .replaceAll(/,?"requestId":"[0-9a-f-]{36}"/g, "")
      .replaceAll(/"bytes":\d+/g, '"bytes":0')
      .replaceAll(/"(\d{13}_)[0-9a-f-]{36}"/g, '"$1"'),
  );
}

/** Replaces values that two processes of one release answer differently, such as signatures. */
const differs = "(differs)";

/** What two answers have in common. */
export function common(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return isDeepStrictEqual(one, other) ? one : differs;
  if (isObject(one) && isObject(other))
    return Object.fromEntries(Object.entries(one).map(([key, value]) => [key, common(value, other[key])]));
  return Object.is(one, other) ? one : differs;
}

/**
 * What a caller of the release misses in today's answer, as paths. Objects may have gained members, which callers must
 * ignore.
 */
export function missing(before: unknown, now: unknown, path = ""): string[] {
  if (before === differs) return [];
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length) {
    // Rows of the same time have no order.
    const isThere = (one: unknown) => now.some((other) => missing(one, other).length === 0);
    return before.flatMap((one, at) => (isThere(one) ? [] : missing(one, now[at], `${path}[${at}]`)));
  }
  if (isObject(before) && isObject(now))
    return Object.entries(before).flatMap(([key, value]) => missing(value, now[key], `${path}.${key}`));
  return Object.is(before, now) ? [] : [`${path}: ${short(before)} became ${short(now)}`];
}

const short = (value: unknown) => (JSON.stringify(value) ?? "undefined").slice(0, 200);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
