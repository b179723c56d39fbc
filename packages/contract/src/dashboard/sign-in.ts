/** Dashboard endpoints for signing in. Not part of the public API. */

import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, Email, Millis, SixDigits, stringEnum, t, Uuid } from "../primitives.ts";
import { MemberRole } from "./member.ts";
import { Assertion, PasskeyOptions } from "./passkey.ts";
import { Nothing, tag } from "./shapes.ts";

const params = t.Object({ uuid: Uuid });
/** The result of a sign-in attempt. The session is an HttpOnly cookie. */
export const SignInOutcome = t.Object({
  outcome: stringEnum(
    "signedIn",
    "wrong",
    "over",
    "taken",
    "passkeyNeeded",
    // Only for sign-in with OpenID Connect.
    "denied",
    "failed",
    "notVerified",
    "notAllowed",
    "notMember",
  ),
  attemptsRemaining: t.Optional(t.Integer({ minimum: 0 })),
});
export type SignInOutcome = Static<typeof SignInOutcome>;
const Link = t.String({ pattern: "^[0-9A-Za-z]{43}$" });

const open = endpointsOf({ tag, auth: "none" });

export const beginMemberSignIn = open("beginMemberSignIn", "POST /api/sign-in", {
  summary: "Send a code by email; the answer is the same for every address",
  body: t.Object({ email: Email }),
  reply: t.Object({
    uuid: Uuid,
    now: Millis,
    expiresAt: Millis,
    /** Only if no mail server is connected. Links to the sandbox's list of emails, if the service has demo accounts. */
    keptMail: t.Optional(t.Object({ outboxUrl: anyOf(t.String(), t.Null()) })),
  }),
  status: 201,
});

export const signInByCode = open("signInByCode", "POST /api/sign-in/:uuid/code", {
  summary: "Sign in with the emailed code",
  params,
  body: t.Object({ code: SixDigits }),
  reply: SignInOutcome,
});

export const readSignInLink = open("readSignInLink", "POST /api/sign-in-link/preview", {
  summary: "Read which member a link signs in, without using the link",
  body: t.Object({ link: Link }),
  reply: t.Object({
    kind: stringEnum("signIn", "invitation", "over"),
    email: t.Optional(t.String()),
    customer: t.Optional(t.String()),
    role: t.Optional(MemberRole),
  }),
});

export const signInByLink = open("signInByLink", "POST /api/sign-in-link", {
  summary: "Use a link, once",
  body: t.Object({ link: Link }),
  reply: SignInOutcome,
});

export const beginOpenIdSignIn = open("beginOpenIdSignIn", "POST /api/sign-in-openid", {
  summary: "The page of the operator's OpenID provider",
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, url: t.String() }),
  status: 201,
  refusals: [404, 503],
});

export const signInByOpenId = open("signInByOpenId", "POST /api/sign-in-openid/:uuid", {
  summary: "Sign in with what the OpenID provider returned",
  params,
  /** The query of the URL that the provider redirected to. */
  body: t.Object({ query: t.String({ minLength: 1, maxLength: 8_000 }) }),
  reply: SignInOutcome,
  refusals: [404],
});

export const beginPasskeySignIn = open("beginPasskeySignIn", "POST /api/sign-in-passkey", {
  summary: "The challenge for signing in with a passkey",
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, options: PasskeyOptions }),
  status: 201,
});

export const signInByPasskey = open("signInByPasskey", "POST /api/sign-in-passkey/:uuid", {
  summary: "Sign in with a passkey",
  params,
  body: t.Object({ credential: Assertion }),
  reply: SignInOutcome,
});
