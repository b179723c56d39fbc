/** Generates requests to a route: valid, almost valid, and malicious. */
import { BrandSettings } from "@countersign/contract/brand";
import type { Endpoint } from "@countersign/contract/endpoint";
import fc, { type Arbitrary } from "fast-check";
import { png } from "../logo-pictures.ts";
import type { Route } from "../served-routes.ts";
import { anyChange, anySpoiling, anyWord, changed, hostileTexts } from "./hostile-values.ts";
import { arbitraryOf, type Hints } from "./schema-arbitrary.ts";

type Json = Record<string, unknown>;
export type Asking = {
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
  /** Whether all parameters are plain path segments, so that no other route can match. */
  isPlainPath: boolean;
};

const plain = (schema: unknown): Json => JSON.parse(JSON.stringify(schema)) as Json;

/** Returns the body's schema. Where the body contains settings, it uses the settings schema for that part. */
function bodySchema(endpoint: Endpoint): Json {
  const schema = plain(endpoint.body);
  const properties = schema.properties as Record<string, Json> | undefined;
  const settings = { ...plain(BrandSettings), required: [] };
  if (properties === undefined) return settings;
  return properties.settings === undefined ? schema : { ...schema, properties: { ...properties, settings } };
}

/** Generates the requests to a route. */
export function requestsOf(route: Route, hints: Hints): Arbitrary<Asking> {
  const { endpoint } = route;
  return fc
    .record({ path: pathOf(route, hints), query: queryOf(endpoint, hints), body: bodyOf(endpoint, hints), headers })
    .map(({ path, query, body, headers: odd }) => ({
      url: `${path.path}${query}`,
      isPlainPath: path.isPlain,
      headers: { ...odd, ...(body === undefined ? {} : { "content-type": body.type }) },
      ...(body === undefined ? {} : { payload: body.payload }),
    }));
}

/** Uses the odd value in one of eight cases. */
const seldom = <T, U>(usual: Arbitrary<T>, odd: Arbitrary<U>) =>
  fc.oneof({ arbitrary: usual, weight: 7 }, { arbitrary: odd, weight: 1 });

function pathOf({ path, endpoint }: Route, hints: Hints): Arbitrary<{ path: string; isPlain: boolean }> {
  const properties = (endpoint?.params === undefined ? {} : plain(endpoint.params).properties) as Record<string, Json>;
  const names = [...path.matchAll(/:(\w+)|\*/g)].map(([, name = "*"]) => name);
  const words = names.map((name) => {
    const usual = arbitraryOf(properties[name] ?? { type: "string", minLength: 1 }, hints, name);
    return seldom(
      usual.map((word) => ({ word: encodeURIComponent(String(word).toWellFormed()), isPlain: String(word) !== "" })),
      anyWord.map((word) => ({ word, isPlain: false })),
    );
  });
  return fc.tuple(...words).map((filled) => {
    let at = 0;
    const made = path.replace(/:\w+|\*/g, () => filled[at++]?.word ?? "");
    // "." and ".." are removed from a path before routing.
    return {
      path: made.startsWith("/") ? made : `/${made}`,
      isPlain: filled.every(({ word, isPlain }) => isPlain && !/^\.+$/.test(word)),
    };
  });
}

function queryOf(endpoint: Endpoint | null, hints: Hints): Arbitrary<string> {
  const odd = fc.tuple(anyWord, anyWord).map(([name, word]) => `?${name}=${word}`);
  if (endpoint?.query === undefined) return seldom(fc.constant(""), odd);
  const usual = arbitraryOf(plain(endpoint.query), hints).map((one) => one as Record<string, unknown>);
  const written = usual.map((query) => {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value).toWellFormed()]);
    return `?${new URLSearchParams(pairs)}`;
  });
  const names = Object.keys(plain(endpoint.query).properties as Json);
  const spoiled = fc
    .tuple(written, fc.constantFrom(...names), anyWord)
    .map(([query, name, word]) => `${query}&${encodeURIComponent(name)}=${word}`);
  return fc.oneof({ arbitrary: written, weight: 3 }, { arbitrary: spoiled, weight: 2 }, { arbitrary: odd, weight: 1 });
}

type Body = { type: string; payload: string | Buffer } | undefined;

function bodyOf(endpoint: Endpoint | null, hints: Hints): Arbitrary<Body> {
  const json = (payload: string | Buffer): Body => ({ type: "application/json", payload });
  if (endpoint?.bytes !== undefined) return pictureOf();
  if (endpoint === null) return pageBody;
  if (endpoint.body === undefined) return fc.constant(undefined);
  const usual = arbitraryOf(bodySchema(endpoint), hints);
  const nearly = fc
    .tuple(usual, fc.array(anyChange, { minLength: 1, maxLength: 2 }))
    .map(([document, changes]) => changes.reduce(changed, document));
  const text = (documents: Arbitrary<unknown>) => documents.map((one) => JSON.stringify(one) ?? "");
  const spoiled = fc.tuple(text(usual), anySpoiling).map(([one, spoil]) => json(spoil(one)));
  const types = fc.constantFrom(
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "x",
    "",
  );
  return fc.oneof(
    { arbitrary: text(usual).map(json), weight: 5 },
    { arbitrary: text(nearly).map(json), weight: 5 },
    { arbitrary: spoiled, weight: 3 },
    { arbitrary: fc.tuple(text(usual), types).map(([payload, type]) => ({ type, payload })), weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 1 },
  );
}

/** Form posts of the wallet's pages, and vendor callbacks without a valid signature. */
const pageBody: Arbitrary<Body> = fc.oneof(
  fc.constant(undefined),
  fc
    .tuple(
      fc.constantFrom("choice=continue", "choice=deny", "choice=", "", "choice[]=x", "{}", '{"id":"x"}', "<a/>"),
      fc.constantFrom(...hostileTexts),
    )
    .map(([form, text]) => ({ type: "application/x-www-form-urlencoded", payload: form + text.slice(0, 100) })),
  fc.constantFrom("{}", "[]", '{"phone":"+12125550010"}', "").map((payload) => ({ type: "application/json", payload })),
);

function pictureOf(): Arbitrary<Body> {
  const whole = png();
  const types = fc.constantFrom("image/png", "image/jpeg", "image/svg+xml", "text/plain");
  return fc
    .tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), fc.boolean(), types)
    .map(([at, byte, cut, type]) => {
      const copy = Buffer.from(whole);
      copy[at] = byte;
      return { type, payload: cut ? copy.subarray(0, at) : copy };
    });
}

const headers: Arbitrary<Record<string, string>> = seldom(
  fc.constant({}),
  fc.constantFrom<Record<string, string>[]>(
    { accept: "application/problem+json" },
    { accept: "*/*;q=0" },
    { "accept-language": "x".repeat(1_000) },
    { "accept-language": "es;q=NaN,*" },
    { "user-agent": "\u00ff".repeat(300) },
    { "idempotency-key": "é" },
    { "idempotency-key": "x".repeat(256) },
    { "x-http-method-override": "DELETE" },
    { "content-encoding": "gzip" },
    { range: "bytes=0-0" },
    { "if-none-match": "*" },
    { cookie: "countersign=%00; =; __Host-countersign=x" },
    { traceparent: "00-zz" },
  ),
);
