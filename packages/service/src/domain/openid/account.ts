/**
 * The released 1-Click that a grant gives a client's brand access to. The grant stores no values, so a withdrawal, a
 * deletion, an erasure or the end of the 1-Click also ends the grant and its tokens.
 */
import { isUuid } from "@countersign/contract/primitives";
import type { Caller, Deps } from "../deps.ts";
import { Failure } from "../failure.ts";
import { read } from "../signup/api/read.ts";
import type { StoredOneClick } from "../signup/one-click.ts";
import { findOneClick } from "../signup/one-click-rows.ts";
import { findVerificationIfKept } from "../verification/find.ts";
import { claimsOf } from "./claims.ts";
import { verifiedClaims } from "./verified-claims.ts";

/** The brand's released 1-Click. Null if the brand cannot read it. Does not count as a read. */
export async function findReleased(deps: Deps, caller: Caller, uuid: string): Promise<StoredOneClick | null> {
  const found = isUuid(uuid) ? await findOneClick(deps, deps.db, caller, uuid) : null;
  return found?.state === "released" ? found : null;
}

/** The subject of a person, different for each brand. The new holder of a number is another person. */
export function subjectOf(deps: Deps, { brand }: Caller, { personUuid }: Pick<StoredOneClick, "personUuid">): string {
  const scope = `openid subject|${deps.environment}|${brand.uuid}`;
  return deps.vault.keyedHash(scope, personUuid).toString("base64url");
}

/** Converts a time of the environment's clock to the machine's clock, because clients compare tokens with real time. */
function realTimeOf({ clock, realClock }: Deps, at: number): number {
  return at - (clock.now() - realClock.now());
}

/** When the phone was proven, in milliseconds of the machine's clock. A new holder's hand-over deletes the proof. */
export async function provenAt(deps: Deps, { verificationUuid, createdAt }: StoredOneClick): Promise<number> {
  const proof = verificationUuid === null ? null : await findVerificationIfKept(deps, verificationUuid);
  return realTimeOf(deps, proof?.row.verified_at ?? createdAt);
}

/**
 * Reads the claims as a brand reads a 1-Click: the read is recorded, and the person sees it. `requestedVerified` is the
 * client's request for `verified_claims`. Null if the brand cannot read the 1-Click.
 */
export async function readClaimsOf(
  deps: Deps,
  caller: Caller,
  { uuid, requestedVerified }: { uuid: string; requestedVerified: unknown },
): Promise<Record<string, unknown> | null> {
  const oneClick = await readOrNull(deps, caller, uuid);
  if (oneClick === null) return null;
  const { ssn, ...others } = claimsOf(oneClick);
  const claims = ssn !== undefined && caller.brand.approvals.has("openidSsn") ? { ...others, ssn } : others;
  const verified = verifiedClaims(requestedVerified, {
    claims,
    provenAt: await provenAt(deps, oneClick),
    timeOf: (at) => realTimeOf(deps, at),
    now: deps.realClock.now(),
    reportsIds: caller.brand.settings.governmentId.reported,
  });
  return {
    ...Object.fromEntries(Object.entries(claims).map(([name, { value }]) => [name, value])),
    ...(verified === undefined ? {} : { verified_claims: verified }),
  };
}

async function readOrNull(deps: Deps, caller: Caller, uuid: string): Promise<StoredOneClick | null> {
  try {
    return await read(deps, caller, uuid);
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return null;
    throw error;
  }
}
