import type { Static } from "typebox";
import { credentialChildrenMax } from "../credential/credential.ts";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, described, Email, mapOf, PhoneInput, stringEnum, t, Uuid } from "../primitives.ts";

/** Maximum number of credentials in one call, and the largest body in bytes. Documents are sent as images. */
const issuedCredentialsMax = 100;
const issuanceBodyBytesMax = 8 * 1024 * 1024;

/** The largest valid date in milliseconds, also as a negative. Every instant is therefore a safe integer. */
const instantMax = 8.64e15;
const Instant = t.Integer({ minimum: -instantMax, maximum: instantMax, description: "Unix time, milliseconds" });
const MillisText = t.String({ pattern: "^-?[0-9]{1,16}$", description: "Unix time, milliseconds, as text" });
const TypeName = t.String({ maxLength: 100, description: "A type of the schema library (`GET /jsonSchema`)" });

const GivenValues = t.Unsafe<Record<string, unknown>>({
  type: "object",
  additionalProperties: true,
  description: "An atomic type's data: one key, as in its schema",
});
const GivenGrandchild = t.Object({
  type: TypeName,
  data: described(GivenValues, "The value: one key, as in the type's schema."),
});
const GivenChild = t.Object({
  type: TypeName,
  data: described(
    anyOf(GivenValues, t.Array(GivenGrandchild, { maxItems: credentialChildrenMax })),
    "An object for an atomic type, an array of children for a composite type.",
  ),
});
/** An object for an atomic type, an array of children for a composite. */
export const GivenData = anyOf(GivenValues, t.Array(GivenChild, { maxItems: credentialChildrenMax }));
export type GivenData = Static<typeof GivenData>;

/** The consent to issue: which text the person agreed to, where and when. */
export const IssuanceConsent = t.Object({
  version: t.String({ minLength: 1, maxLength: 50, description: "Which text was agreed to" }),
  source: t.String({
    minLength: 1,
    maxLength: 100,
    description: "Where you got the consent, such as `signup-form`; no personal data",
  }),
  obtainedAt: t.Integer({
    minimum: 0,
    maximum: instantMax,
    description: "When the person agreed, in Unix milliseconds",
  }),
});
export type IssuanceConsent = Static<typeof IssuanceConsent>;

const GivenCredential = t.Object({
  id: t.Optional(described(Uuid, "Your own id for the credential. A repeated call with the same id gets 409.")),
  type: TypeName,
  data: described(GivenData, "An object for an atomic type, an array of children for a composite type."),
  expirationDate: t.Optional(
    described(
      Instant,
      "When the credential expires, in Unix milliseconds. Default: never. A time in the past gets a `Warning`: nobody receives the credential.",
    ),
  ),
});

/** Body of `POST /credentials`. At least one of `email` and `phone`. */
export const IssuanceRequest = t.Object({
  email: t.Optional(described(Email, "The person's email address, which you verified.")),
  phone: t.Optional(described(PhoneInput, "The person's phone, which you verified.")),
  credentials: described(
    t.Array(GivenCredential, { minItems: 1, maxItems: issuedCredentialsMax }),
    "The credentials to issue. All are stored, or none.",
  ),
  trackingId: t.Optional(t.String({ maxLength: 256, description: "Echoed, not kept" })),
  consent: t.Optional(
    described(IssuanceConsent, "The person's consent to this issuance. Not needed if your settings declare it."),
  ),
});
export type IssuanceRequest = Static<typeof IssuanceRequest>;

const issued = {
  id: described(Uuid, "The credential's id."),
  type: TypeName,
  issuanceDate: described(MillisText, "When the credential was issued, in Unix milliseconds, as text."),
  expirationDate: described(
    anyOf(MillisText, t.Null()),
    "When the credential expires, in Unix milliseconds, as text; `null` if never.",
  ),
  status: described(stringEnum("valid", "revoked"), "Whether the credential can be shared (`valid`) or is revoked."),
  issuerUuid: t.String({ format: "uuid", description: "UUID of the issuing brand" }),
  createdAt: described(MillisText, "When the credential was stored, in Unix milliseconds, as text."),
  updatedAt: described(MillisText, "When the credential was last changed, in Unix milliseconds, as text."),
};
const IssuedValues = mapOf(t.String());
const IssuedGrandchild = t.Object({
  ...issued,
  data: described(IssuedValues, "The value, by the key of the type's schema."),
});
const IssuedChild = t.Object({
  ...issued,
  data: described(
    anyOf(IssuedValues, t.Array(IssuedGrandchild)),
    "The value of an atomic type, or the children of a composite type.",
  ),
});
/** A credential as its issuer sees it. Children of a composite are credentials too, and dates are text. */
export const IssuedCredential = t.Object({
  ...issued,
  data: described(
    anyOf(IssuedValues, t.Array(IssuedChild)),
    "The value of an atomic type, or the children of a composite type.",
  ),
});
export type IssuedCredential = Static<typeof IssuedCredential>;

const Schema = t.Unsafe<object>({ type: "object", additionalProperties: true, description: "JSON Schema 2019-09" });

const tag = "Issuance";
const open = endpointsOf({ tag, auth: "none", cors: true });
const forBrands = endpointsOf({ tag, auth: "brandKey" });
const id = "6a1c0f5e-8a34-4f0e-9d53-0d9f4a2b7c11";
const dates = {
  issuanceDate: "1767225600000",
  expirationDate: null,
  status: "valid",
  issuerUuid: "b0000000-0000-4000-8000-000000000001",
  createdAt: "1767225600000",
  updatedAt: "1767225600000",
} as const;
const child = (last: string, type: string, data: Record<string, string>) => ({
  id: `6a1c0f5e-8a34-4f0e-9d53-0d9f4a2b7c${last}`,
  type,
  data,
  ...dates,
});
const name = (status: "valid" | "revoked") => [
  { ...child("21", "FirstNameCredential", { firstName: "Ada" }), status },
  { ...child("22", "LastNameCredential", { lastName: "Lovelace" }), status },
];
const fullName = { id, type: "FullNameCredential", data: name("valid"), ...dates };
const textSchema = ($id: string, title: string, key: string) => ({
  $schema: "https://json-schema.org/draft/2019-09/schema",
  $id,
  title,
  type: "object",
  properties: { [key]: { type: "string", title, displayFormat: "String", input: { type: "Text" } } },
  required: [key],
});

export const issueCredentials = forBrands("issueCredentials", "POST /credentials", {
  summary: "Issue credentials to a person",
  description:
    "You need the operator's approval `issuance` (given in the sandbox) and the person's consent: declare it with `consent`, or once in your settings (`consent.declared`). All credentials are " +
    "stored or none; `data.errors` lists each problem. Identify the person by `phone`, `email` or both, which you " +
    "verified; giving both links them. Your own `id` makes a repeated call harmless: it gets 409. " +
    "`verificationMethod` and other members that are not described here are ignored.",
  about: "recipient",
  body: IssuanceRequest,
  bodyLimit: issuanceBodyBytesMax,
  reply: t.Object({
    email: t.Optional(t.String({ description: "The email address from the request." })),
    phone: t.Optional(t.String({ description: "The phone from the request." })),
    trackingId: t.Optional(t.String({ description: "Your own reference from the request." })),
    credentials: described(t.Array(IssuedCredential), "The issued credentials."),
  }),
  status: 201,
  errors: ["ERR001", "OCE002"],
  refusals: [403, 409],
  example: {
    body: {
      phone: "+12125550010",
      trackingId: "order-1815",
      credentials: [{ id, type: "FullNameCredential", data: name("valid").map(({ type, data }) => ({ type, data })) }],
      consent: { version: "2026-01", source: "signup-form", obtainedAt: 1_767_225_590_000 },
    },
    reply: { phone: "+12125550010", trackingId: "order-1815", credentials: [fullName] },
  },
});

const params = t.Object({
  id: described(Uuid, "`id` of a credential that you issued; anything else is 404."),
});

export const readCredential = forBrands("readCredential", "GET /credentials/:id", {
  summary: "Read a credential that you issued",
  about: { issued: "params.id" },
  params,
  reply: IssuedCredential,
  refusals: [404],
  example: { params: { id }, reply: fullName },
});

export const changeCredential = forBrands("changeCredential", "PATCH /credentials/:id", {
  summary: "Change, revoke or reinstate a credential that you issued",
  description:
    "`data` is replaced as a whole. Values that were shared do not change. Without approval you can only revoke.",
  about: { issued: "params.id" },
  params,
  body: t.Object({
    data: t.Optional(described(GivenData, "The new value. It replaces the old one as a whole.")),
    expirationDate: t.Optional(
      described(anyOf(Instant, t.Null()), "When the credential expires, in Unix milliseconds; `null` for never."),
    ),
    status: t.Optional(
      described(stringEnum("valid", "revoked"), "`revoked` to stop sharing the credential, `valid` to reinstate it."),
    ),
  }),
  bodyLimit: issuanceBodyBytesMax,
  reply: IssuedCredential,
  refusals: [403, 404],
  example: {
    params: { id },
    body: { status: "revoked" },
    reply: { ...fullName, data: name("revoked"), status: "revoked" },
  },
});

export const readSchemaLibrary = open("readSchemaLibrary", "GET /jsonSchema", {
  summary: "The schema library: every credential type",
  description: "A flat map from type to schema. The schema of a name never changes.",
  reply: t.Unsafe<Record<string, object>>({ type: "object", additionalProperties: true }),
  example: { reply: { CityCredential: textSchema("CityCredential", "City", "city") } },
});

export const readSchema = open("readSchema", "GET /jsonSchema/:type", {
  summary: "The schema of one credential type",
  // No length limit here: an overlong name gets the same uncached 404 as any unknown name.
  params: t.Object({ type: t.String({ description: "Name of the type, such as `EmailCredential`" }) }),
  reply: Schema,
  errors: [],
  refusals: [404],
  example: {
    params: { type: "TitleCredential" },
    reply: textSchema("TitleCredential", "Job Title", "title"),
  },
});

export const issuanceEndpoints = [issueCredentials, readCredential, changeCredential, readSchemaLibrary, readSchema];
