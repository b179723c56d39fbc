/** Endpoints of the person's own page at `{wallet_url}/`. Calls after sign-in use a cookie. */
import type { Static } from "typebox";
import { VerificationMethod } from "../brand-api/entity.ts";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, Day, Millis, mapOf, PhoneInput, Ssn4, stringEnum, t, Uuid } from "../primitives.ts";
import { AnywayGets, ConsentBody } from "./page.ts";

const tag = "Wallet";
const Typed = t.String({ maxLength: 200 });

/** A started sign-in whose code has not been entered yet. */
export const SignIn = t.Object({
  signIn: Uuid,
  /** The service's current time. The browser counts down to `expiresAt` from it. */
  now: Millis,
  expiresAt: Millis,
  attemptsRemaining: t.Integer({ minimum: 0 }),
  canResend: t.Boolean(),
});
export type SignIn = Static<typeof SignIn>;

/** One value, or a part of one. The service masks `text` until the person proves their identity. */
export const AccountValue = t.Object({ key: t.String(), title: t.String(), text: t.String() });
export type AccountValue = Static<typeof AccountValue>;

/** A credential that a brand issued to the person. */
export const Card = t.Object({
  uuid: Uuid,
  title: t.String(),
  issuer: t.String(),
  status: stringEnum("valid", "revoked", "expired"),
  /** Whether the brand issued it to the person's email address, without their phone number. */
  toEmail: t.Boolean(),
  issuedAt: Millis,
  expiresAt: t.Optional(Millis),
  values: t.Array(AccountValue),
});
export type Card = Static<typeof Card>;

/** A shared credential that the brand can still read. */
export const SharedField = t.Object({
  key: t.String(),
  title: t.String(),
  verificationMethod: VerificationMethod,
  /** The name of the state whose ID has a value, such as California. */
  state: t.Optional(t.String()),
  values: t.Array(AccountValue),
  /** Keys of the values that the person typed. */
  typed: t.Array(t.String()),
  /** Keys of the typed values that the person may correct here. */
  correctable: t.Array(t.String()),
});
export type SharedField = Static<typeof SharedField>;

/** A 1-Click that a brand can still read, until `readableUntil` or until the person stops the sharing. */
export const Share = t.Object({
  uuid: Uuid,
  brandUuid: Uuid,
  sharedAt: Millis,
  readableUntil: Millis,
  fields: t.Array(SharedField),
});
export type Share = Static<typeof Share>;

/** A brand with at least one entry in the person's audit record. */
export const AccountBrand = t.Object({
  uuid: Uuid,
  name: t.String(),
  firstAt: Millis,
  lastAt: Millis,
  reads: t.Integer({ minimum: 0 }),
  /** Whether the brand can read any data now. */
  canRead: t.Boolean(),
  /** Until when the brand can read insurance that a payer confirmed. Absent if it has none. */
  insuranceUntil: t.Optional(Millis),
  /** Whether the person stopped sharing with the brand and has not shared with it since. */
  stopped: t.Boolean(),
});
export type AccountBrand = Static<typeof AccountBrand>;

/**
 * The header in which a page names the account that it shows, with the `account` of its view. The cookie may belong to
 * another person by now, who signed in in another tab. Every call that changes something needs it.
 */
export const accountHeader = "countersign-account";
/** The same for links, which have no headers. */
const shownAccount = { account: t.Optional(t.String({ maxLength: 100 })) };

export const AccountView = t.Object({
  /** Stands for the person in `accountHeader`. */
  account: t.String(),
  /** Masked except for the last four digits. */
  phone: t.String(),
  now: Millis,
  /** When the values are masked again. Absent while they are masked. */
  provenUntil: t.Optional(Millis),
  /** True for a fixed sandbox person. A deletion request resets a fixed person instead. */
  fixed: t.Boolean(),
  cards: t.Array(Card),
  shares: t.Array(Share),
  brands: t.Array(AccountBrand),
});
export type AccountView = Static<typeof AccountView>;

/** One entry of the person's audit record. */
export const TimelineEntry = t.Object({
  /** Stable across reads. Reveals neither a time nor other people's entries. */
  id: t.String(),
  at: Millis,
  action: t.String(),
  brand: t.Optional(t.Object({ uuid: Uuid, name: t.String() })),
  /** Names of the credential types. */
  types: t.Array(t.String()),
  /** The purpose after "1-Click", such as "Signup". */
  purpose: t.Optional(t.String()),
  /** What the brand got although the person declined. */
  anyway: t.Optional(AnywayGets),
  /** The legal basis: the person's decision or the brand's declaration. */
  consent: t.Optional(
    t.Object({
      uuid: Uuid,
      source: stringEnum("brandDeclaration", "brandRequest", "wallet", "operator"),
      version: t.String(),
      language: t.Optional(t.String()),
      words: t.Optional(t.String()),
      url: t.Optional(t.String()),
    }),
  ),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

export const AccountDevice = t.Object({
  uuid: Uuid,
  /** Browser and operating system, as the user agent reports them. */
  device: t.String(),
  createdAt: Millis,
  usedAt: Millis,
  current: t.Boolean(),
});
export type AccountDevice = Static<typeof AccountDevice>;
const Devices = t.Object({ devices: t.Array(AccountDevice) });

/** The sign-in cookie authenticates these calls, so the service refuses cross-site requests. */
const own = endpointsOf({ tag, auth: "none", refusals: [403, 409] });

export const beginSignIn = own("beginSignIn", "POST /api/sign-in", {
  summary: "Text a code for signing in to the person's own page",
  description:
    "The answer is the same for every phone, whether it has a record, reached its limit of texts, or replied STOP. The service texts only phones with a record. 429 depends only on the caller's IP address.",
  about: { phone: "body.phone" },
  body: t.Object({ phone: PhoneInput, consent: ConsentBody }),
  reply: SignIn,
  status: 201,
  errors: ["ERR001", "OCE002"],
});

export const resendSignIn = own("resendSignIn", "POST /api/sign-in/resend", {
  summary: "Text a new code, which invalidates the previous one",
  about: { uuid: "body.signIn" },
  body: t.Object({ signIn: Uuid }),
  reply: SignIn,
  errors: ["ERR001", "OCV003", "OCV004", "OCV005"],
});

export const finishSignIn = own("finishSignIn", "POST /api/sign-in/code", {
  summary: "Sign in with the texted code",
  about: { uuid: "body.signIn" },
  body: t.Object({ signIn: Uuid, code: t.String({ pattern: "^[0-9]{3}-?[0-9]{3}$" }) }),
  reply: AccountView,
  status: 201,
  errors: ["ERR001", "OCV001", "OCV002", "OCV005", "OCV007"],
});

export const readSignIn = own("readSignIn", "GET /api/sign-in", {
  summary: "Whether the person is signed in, with the overview if they are",
  description: "Answers 200 in each case, because a visit without a session is no error.",
  reply: t.Object({
    /** `ended`: the browser had a session, and it expired or was ended elsewhere. */
    session: stringEnum("open", "ended", "none"),
    account: t.Optional(AccountView),
  }),
});

export const readAccount = own("readAccount", "GET /api/account", {
  summary: "All data stored about the person, as an overview",
  reply: AccountView,
});

export const readTimeline = own("readTimeline", "GET /api/account/timeline", {
  summary: "The timeline of who received which data, newest first",
  query: t.Object({
    /** Returns the entries before this id, which is the `next` of the previous page. */
    before: t.Optional(t.String({ pattern: "^[A-Za-z0-9_-]{22}$" })),
    brand: t.Optional(Uuid),
  }),
  reply: t.Object({ entries: t.Array(TimelineEntry), next: t.Optional(t.String()) }),
});

export const proveAccount = own("proveAccount", "POST /api/account/proof", {
  summary: "Confirm the birthday, to see full values, download and delete",
  description:
    "The last four SSN digits count alone only if no source has a birth date. ERR001 names the input that is also needed.",
  body: t.Object({ birthDate: t.Optional(Day), ssn4: t.Optional(Ssn4) }),
  reply: AccountView,
  errors: ["ERR001", "OCE012", "OCE013", "OCE019"],
});

export const hideValues = own("hideValues", "DELETE /api/account/proof", {
  summary: "Hide the values again before the time is over",
  reply: AccountView,
});

export const stopSharing = own("stopSharing", "POST /api/account/brands/:uuid/stop", {
  summary: "Stop sharing with a brand",
  description:
    "The brand loses access at once: its next read is OCE015. If it has another name by now than the page showed, nothing is stopped and the answer is 409.",
  params: t.Object({ uuid: Uuid }),
  body: t.Object({
    consent: ConsentBody,
    /** The brand's name on the screen. */
    name: t.Optional(t.String({ maxLength: 200 })),
  }),
  reply: AccountView,
  refusals: [403, 404, 409],
});

export const correctValue = own("correctValue", "POST /api/account/shares/:uuid/values", {
  summary: "Correct what the person typed themselves",
  params: t.Object({ uuid: Uuid }),
  body: t.Object({
    key: t.String({ minLength: 1, maxLength: 100 }),
    /** A text, or parts by key. A day is yyyy-MM-dd. */
    value: anyOf(Typed, mapOf(Typed)),
  }),
  reply: AccountView,
  refusals: [403, 404, 409],
});

export const readReceipt = own("readReceipt", "GET /api/account/receipts/:uuid", {
  summary: "The signed receipt of a decision: a compact JWS, checked with the keys at /.well-known/jwks.json",
  params: t.Object({ uuid: Uuid }),
  reply: t.Object({ receipt: t.String() }),
  refusals: [403, 404, 409],
});

export const downloadAccount = own("downloadAccount", "GET /api/account/download", {
  summary: "All data stored about the person, as one document",
  query: t.Object(shownAccount),
  reply: t.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
});

export const deleteAccount = own("deleteAccount", "POST /api/account/deletion", {
  summary: "Delete everything except the evidence of decisions, which has no values",
  description: "A fixed person of the sandbox is reset instead: the demo brands lose what they got.",
  body: t.Object({ consent: ConsentBody }),
  reply: t.Object({ outcome: stringEnum("deleted", "reset"), receipt: t.String() }),
});

export const takeOverNumber = own("takeOverNumber", "POST /api/account/new-holder", {
  summary: "Declare that the person is the number's new holder; the former holder's data can never be read again",
  body: t.Object({ consent: ConsentBody }),
  reply: AccountView,
});

export const listDevices = own("listDevices", "GET /api/account/devices", {
  summary: "The person's sessions",
  reply: Devices,
});

export const signOutDevice = own("signOutDevice", "DELETE /api/account/devices/:uuid", {
  summary: "Sign out on one device",
  params: t.Object({ uuid: Uuid }),
  reply: Devices,
  refusals: [403, 404, 409],
});

export const signOutOthers = own("signOutOthers", "DELETE /api/account/devices", {
  summary: "Sign out everywhere else",
  reply: Devices,
});

export const signOut = own("signOut", "POST /api/account/sign-out", {
  summary: "Sign out here",
  reply: t.Object({ signedIn: t.Boolean() }),
});
