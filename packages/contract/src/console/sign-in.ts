/** Console endpoints for signing in, and for the person who is signed in. Not part of the public API. */
import type { Static } from "typebox";
import { Assertion, NewCredential, NewPasskeyOptions, PasskeyOptions } from "../dashboard/passkey.ts";
import { Nothing } from "../dashboard/shapes.ts";
import { endpointsOf } from "../endpoint.ts";
import { stringEnum, t, Uuid } from "../primitives.ts";
import { OperatorRole } from "./role.ts";
import { consoleTag, forSupport } from "./shapes.ts";

const params = t.Object({ uuid: Uuid });

/** The result of a sign-in. The session is an HttpOnly cookie. */
const OperatorSignIn = t.Object({
  outcome: stringEnum("signedIn", "over", "denied", "failed", "notVerified", "notAllowed", "notMember"),
});
export type OperatorSignIn = Static<typeof OperatorSignIn>;

const open = endpointsOf({ tag: consoleTag, auth: "none" });

export const signOperatorInByLink = open("signOperatorInByLink", "POST /api/console/sign-in-link", {
  summary: "Use an invitation's link, once",
  body: t.Object({ link: t.String({ pattern: "^[0-9A-Za-z]{43}$" }) }),
  reply: OperatorSignIn,
});

export const beginOperatorByPasskey = open("beginOperatorByPasskey", "POST /api/console/sign-in-passkey", {
  summary: "The challenge for signing in with a passkey",
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, options: PasskeyOptions }),
  status: 201,
});

export const signOperatorInByPasskey = open("signOperatorInByPasskey", "POST /api/console/sign-in-passkey/:uuid", {
  summary: "Sign in with a passkey",
  params,
  body: t.Object({ credential: Assertion }),
  reply: OperatorSignIn,
});

export const beginOperatorByOpenId = open("beginOperatorByOpenId", "POST /api/console/sign-in-openid", {
  summary: "The page of the operator's OpenID provider",
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, url: t.String() }),
  status: 201,
  refusals: [404, 503],
});

export const signOperatorInByOpenId = open("signOperatorInByOpenId", "POST /api/console/sign-in-openid/:uuid", {
  summary: "Sign in with what the OpenID provider returned",
  params,
  /** The query of the URL that the provider redirected to. */
  body: t.Object({ query: t.String({ minLength: 1, maxLength: 8_000 }) }),
  reply: OperatorSignIn,
  refusals: [404],
});

/** The header in which a page names the person whom it shows, by `uuid`, as `memberHeader` does in the dashboard. */
export const operatorHeader = "countersign-operator";

const ConsoleMe = t.Object({
  operator: t.Object({ uuid: Uuid, name: t.String(), email: t.String(), role: OperatorRole }),
  /** Whether this session may only add a passkey, because it began with an invitation's link. */
  needsPasskey: t.Boolean(),
  /** Whether this session may add a passkey: only one that began with an invitation's link may. */
  mayAddPasskey: t.Boolean(),
  environments: t.Array(stringEnum("sandbox", "production")),
  /** Where the documents are. */
  docsUrl: t.String(),
  /** How many requests of brands wait for an answer. */
  waiting: t.Integer({ minimum: 0 }),
});
export type ConsoleMe = Static<typeof ConsoleMe>;

export const readConsoleMe = forSupport("readConsoleMe", "GET /api/console/me", {
  summary: "Who is signed in to the console",
  reply: ConsoleMe,
});

export const beginOperatorPasskey = forSupport("beginOperatorPasskey", "POST /api/console/me/passkeys", {
  summary: "The challenge for a new passkey",
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, options: NewPasskeyOptions }),
  status: 201,
  refusals: [409],
});

export const finishOperatorPasskey = forSupport("finishOperatorPasskey", "POST /api/console/me/passkeys/:uuid", {
  summary: "Save a new passkey",
  params,
  body: t.Object({ credential: NewCredential }),
  reply: Nothing,
  status: 201,
});

export const signOperatorOut = forSupport("signOperatorOut", "DELETE /api/console/session", {
  summary: "End this session",
  reply: Nothing,
});
