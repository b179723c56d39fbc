/** Sign-in with the operator's OpenID provider, for existing members whose email address the provider verified. */
import { minuteMs } from "@countersign/contract/time";
import type { AccountDeps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { randomToken } from "../token.ts";
import { findByEmail } from "./member-rows.ts";
import { insertChallenge, takeChallenge } from "./passkey-rows.ts";
import { type Entered, enter, type From } from "./sign-in.ts";

/** How long a person may take at the provider, in milliseconds. */
const lifeMs = 10 * minuteMs;
/** Distinguishes these rows from passkey challenges. */
const kind = "openid";

/** The page to which the provider sends people back. */
const openIdReturnPath = "/sign-in/openid";

/** Why a sign-in with the provider was refused. */
export type OpenIdRefusal = "denied" | "failed" | "notVerified" | "notAllowed" | "notMember";
export type EnteredByOpenId = Entered | { kind: OpenIdRefusal };
/** What a sign-in with the provider needs. The console uses it, too, with its own URL. */
type ProviderDeps = Pick<AccountDeps, "home" | "random" | "clock" | "openId">;

export async function beginByOpenId(deps: AccountDeps): Promise<{ uuid: string; url: string }> {
  return await beginAtProvider(deps, deps.addresses.dashboardUrl);
}

/** The uuid stays in the tab that began the sign-in, so no other browser can finish it. `at`: URL of our pages. */
export async function beginAtProvider(deps: ProviderDeps, at: string): Promise<{ uuid: string; url: string }> {
  const provider = providerOf(deps);
  const secret = () => randomToken(deps.random);
  const secrets = { state: secret(), nonce: secret(), verifier: secret() };
  const url = await provider.begin({ ...secrets, returnsTo: at + openIdReturnPath });
  if (url === null) throw refuse(503, "The sign-in provider cannot be reached. Sign in another way.");
  const now = deps.clock.now();
  const uuid = deps.random.uuid();
  const challenge = [kind, secrets.state, secrets.nonce, secrets.verifier].join(":");
  await insertChallenge(deps.home, { uuid, memberUuid: null, challenge, expiresAt: now + lifeMs, now });
  return { uuid, url };
}

export async function enterByOpenId(
  deps: AccountDeps,
  input: { uuid: string; query: string },
  from: From,
): Promise<EnteredByOpenId> {
  const answer = await finishAtProvider(deps, input, deps.addresses.dashboardUrl);
  if (answer.kind !== "known") return answer;
  const { email } = answer;
  return await deps.home.inTransaction(async (trx): Promise<EnteredByOpenId> => {
    const member = await findByEmail(deps, trx, { email, joined: true });
    if (member === null) return { kind: "notMember" };
    // The provider has just proved the address, so only the membership can be gone.
    const entering = { memberUuid: member.uuid, method: "openid" as const, from, useProof: () => true };
    return (await enter(deps, trx, entering)) ?? { kind: "notMember" };
  });
}

type ProviderAnswer = { kind: "known"; email: string } | { kind: Exclude<OpenIdRefusal, "notMember"> | "over" };

/** The verified email address of the person at the provider. `query`: what the provider added to the return URL. */
export async function finishAtProvider(
  deps: ProviderDeps,
  input: { uuid: string; query: string },
  at: string,
): Promise<ProviderAnswer> {
  const provider = providerOf(deps);
  const challenge = await takeChallenge(deps.home, { uuid: input.uuid, memberUuid: null, now: deps.clock.now() });
  const [rowKind, state, nonce, verifier] = challenge?.split(":") ?? [];
  if (rowKind !== kind || state === undefined || nonce === undefined || verifier === undefined) return { kind: "over" };
  const answer = await provider.finish(`${at}${openIdReturnPath}?${input.query}`, { state, nonce, verifier });
  if (answer.kind !== "known") return answer;
  if (answer.email === null || !answer.isVerified) return { kind: "notVerified" };
  const { email } = answer;
  return provider.allows(email) ? { kind: "known", email } : { kind: "notAllowed" };
}

function providerOf({ openId }: ProviderDeps) {
  if (openId === null) throw refuse(404, "This service has no OpenID provider.");
  return openId;
}
