/** Endpoints of "Take this with you" on the person's own page: credentials for a wallet of their own. */
import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { ConsentBody } from "./page.ts";

/** What the service itself verified and can put into a credential. */
export const OwnKind = stringEnum("phone", "name", "birthdate", "address");
export type OwnKind = Static<typeof OwnKind>;

/** A credential that a wallet got. All of its copies are withdrawn together. */
export const TakenOut = t.Object({
  uuid: Uuid,
  /** An `OwnKind`, or `issued-` and the type of a credential that a brand issued. */
  kind: t.String(),
  /** The key and the title of the credential's type. */
  key: t.String(),
  title: t.String(),
  /** The brand that issued it. */
  issuer: t.Optional(t.String()),
  copies: t.Integer({ minimum: 1 }),
  takenAt: Millis,
  expiresAt: Millis,
  state: stringEnum("valid", "withdrawn", "revoked"),
});
export type TakenOut = Static<typeof TakenOut>;

const Takeouts = t.Object({
  own: t.Array(OwnKind),
  issued: t.Array(t.Object({ uuid: Uuid, key: t.String(), title: t.String(), issuer: t.String() })),
  taken: t.Array(TakenOut),
});
export type Takeouts = Static<typeof Takeouts>;

/** An offer that a wallet accepts with the six digits. */
export const TakeoutOffer = t.Object({
  /** `openid-credential-offer://…`, for a link or a QR code. Contains no personal value. */
  offer: t.String(),
  transactionCode: t.String({ pattern: "^[0-9]{6}$" }),
  now: Millis,
  expiresAt: Millis,
});
export type TakeoutOffer = Static<typeof TakeoutOffer>;

/** The sign-in cookie authenticates these calls, so the service refuses cross-site requests. */
const own = endpointsOf({ tag: "Wallet", auth: "none", refusals: [403, 409] });

export const listTakeouts = own("listTakeouts", "GET /api/account/takeouts", {
  summary: "List the credentials that the person can add to a wallet app, and those added",
  reply: Takeouts,
});

export const takeOut = own("takeOut", "POST /api/account/takeouts", {
  summary: "Offer a credential to the person's wallet",
  description: "Name one of `own` or one of `issued`. The offer ends after ten minutes or three wrong codes.",
  body: t.Object({ own: t.Optional(OwnKind), issued: t.Optional(Uuid) }),
  reply: TakeoutOffer,
  status: 201,
  errors: ["ERR001", "OCE013"],
  refusals: [403, 404, 409],
});

/** Maximum length of each text in a wallet app's request. */
export const walletTextMax = 2_000;
const challengePattern = "^[A-Za-z0-9_-]{43}$";
/** Whether a text is a PKCE challenge of the method S256. */
export function isChallenge(text: string): boolean {
  return new RegExp(challengePattern).test(text);
}

const offered = {
  params: t.Object({ uuid: Uuid }),
  refusals: [403, 404, 409] as const,
};

export const readOffer = own("readOffer", "GET /api/account/takeouts/:uuid", {
  ...offered,
  summary: "What a wallet app asks for with an offer",
  reply: t.Object({ key: t.String(), title: t.String(), issuer: t.Optional(t.String()) }),
});

export const answerWallet = own("answerWallet", "POST /api/account/takeouts/:uuid/authorization", {
  ...offered,
  summary: "Let a wallet app get the offered credential, or refuse",
  description: "The reply says where the browser continues: at the wallet app's address, with a code or an error.",
  body: t.Object({
    allow: t.Boolean(),
    clientId: t.String({ minLength: 1, maxLength: walletTextMax }),
    redirectUri: t.String({ minLength: 1, maxLength: walletTextMax }),
    challenge: t.String({ pattern: challengePattern, description: "PKCE, S256" }),
    state: t.Optional(t.String({ maxLength: walletTextMax })),
    consent: ConsentBody,
  }),
  reply: t.Object({ continueAt: t.String() }),
  errors: ["ERR001", "OCE013"],
});

export const withdrawTakeout = own("withdrawTakeout", "POST /api/account/takeouts/:uuid/withdrawal", {
  summary: "Withdraw a credential: verifiers refuse all of its copies",
  params: t.Object({ uuid: Uuid }),
  reply: Takeouts,
  refusals: [403, 404, 409],
});
