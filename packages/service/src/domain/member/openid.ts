/** Sign-in with the operator's OpenID provider, for existing members whose email address the provider verified. */
import type { AccountDeps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { randomToken } from "../token.ts";
import { findByEmail } from "./member-rows.ts";
import { insertChallenge, takeChallenge } from "./passkey-rows.ts";
import { type Entered, enter, type From } from "./sign-in.ts";

/** How long a person may take at the provider, in milliseconds. */
const lifeMs = 10 * 60_000;
/** Distinguishes these rows from passkey challenges. */
const kind = "openid";

/** The page of the dashboard to which the provider sends people back. */
const openIdReturnPath = "/sign-in/openid";

/** Why a sign-in with the provider was refused. */
export type OpenIdRefusal = "denied" | "failed" | "notVerified" | "notAllowed" | "notMember";
export type EnteredByOpenId = Entered | { kind: OpenIdRefusal };

/** The uuid stays in the tab that began the sign-in, so no other browser can finish it. */
export async function beginByOpenId(deps: AccountDeps): Promise<{ uuid: string; url: string }> {
  const provider = providerOf(deps);
  const secret = () => randomToken(deps.random);
  const secrets = { state: secret(), nonce: secret(), verifier: secret() };
  const url = await provider.begin({ ...secrets, returnsTo: deps.addresses.dashboardUrl + openIdReturnPath });
  if (url === null) throw refuse(503, "The sign-in provider cannot be reached. Sign in with a code instead.");
  const now = deps.clock.now();
  const uuid = deps.random.uuid();
  const challenge = [kind, secrets.state, secrets.nonce, secrets.verifier].join(":");
  await insertChallenge(deps.home, { uuid, memberUuid: null, challenge, expiresAt: now + lifeMs, now });
  return { uuid, url };
}

/** `query`: what the provider added to the return URL. */
export async function enterByOpenId(
  deps: AccountDeps,
  input: { uuid: string; query: string },
  from: From,
): Promise<EnteredByOpenId> {
  const provider = providerOf(deps);
  const challenge = await takeChallenge(deps.home, { uuid: input.uuid, memberUuid: null, now: deps.clock.now() });
  const [rowKind, state, nonce, verifier] = challenge?.split(":") ?? [];
  if (rowKind !== kind || state === undefined || nonce === undefined || verifier === undefined) return { kind: "over" };
  const returned = `${deps.addresses.dashboardUrl}${openIdReturnPath}?${input.query}`;
  const answer = await provider.finish(returned, { state, nonce, verifier });
  if (answer.kind !== "known") return answer;
  if (answer.email === null || !answer.isVerified) return { kind: "notVerified" };
  const { email } = answer;
  if (!provider.allows(email)) return { kind: "notAllowed" };
  return await deps.home.inTransaction(async (trx): Promise<EnteredByOpenId> => {
    const member = await findByEmail(deps, trx, { email, joined: true });
    return member === null ? { kind: "notMember" } : await enter(deps, trx, { member, method: "openid", from });
  });
}

function providerOf({ openId }: AccountDeps) {
  if (openId === null) throw refuse(404, "This service has no OpenID provider.");
  return openId;
}
