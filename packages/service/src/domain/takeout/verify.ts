/** Verifies a credential of ours that a wallet presents: issuer, type, times, status, holder, nonce and audience. */
import { createPublicKey, verify } from "node:crypto";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import type { Deps } from "../deps.ts";
import { outageOf } from "../failure.ts";
import { issuerUrl, statusListOf, typeOf } from "./addresses.ts";
import { hasAcceptedHeader, publishedKeys, sha256 } from "./keys.ts";
import { statusListToken } from "./status.ts";

/** `claims`: the paths that must be disclosed. `audience`: the client identifier of the request. */
export type Wanted = { kind: string; claims: readonly (readonly string[])[]; nonce: string; audience: string };

/**
 * How far the time at which a wallet app signed may differ from ours, in seconds. Clocks differ, and five minutes are
 * usual for verifiers.
 */
const signedWithin = 5 * 60;

/** The disclosed claims. Null if anything is wrong. Only credentials of this environment's issuer are accepted. */
export async function verifyPresentation(
  deps: Deps,
  presentation: string,
  wanted: Wanted,
): Promise<Record<string, unknown> | null> {
  try {
    return await verified(deps, presentation, wanted);
  } catch (error) {
    // The libraries throw many kinds of errors for hostile input. Only an outage is our own failure.
    if (outageOf(error) !== null) throw error;
    return null;
  }
}

async function verified(deps: Deps, presentation: string, wanted: Wanted): Promise<Record<string, unknown> | null> {
  const keys = await publishedKeys(deps);
  const currentDate = Math.floor(deps.clock.now() / 1_000);
  const byIssuer = (data: string, signature: string) => keys.some((key) => isSigned({ ...key }, data, signature));
  const instance = new SDJwtVcInstance({
    hasher: sha256,
    hashAlg: "sha-256",
    verifier: byIssuer,
    kbVerifier: (data, signature, { cnf }) => isSigned(holderIn(cnf), data, signature),
    statusVerifier: byIssuer,
    statusListFetcher: (uri) => ownStatusList(deps, uri),
  });
  const { payload, kb, header } = await instance.verify(presentation, {
    currentDate,
    keyBindingNonce: wanted.nonce,
    requiredClaimKeys: ["status", ...wanted.claims.map((path) => path.join("."))],
  });
  const isRight =
    header?.typ === "dc+sd-jwt" &&
    payload.iss === issuerUrl(deps) &&
    payload.vct === typeOf(deps, wanted.kind) &&
    typeof payload.exp === "number" &&
    payload.exp > currentDate &&
    kb?.payload.aud === wanted.audience &&
    hasAcceptedHeader(kb.header) &&
    isFresh(deps, kb.payload) &&
    (await usesAllDisclosures(instance, presentation));
  return isRight ? { ...payload } : null;
}

/** Whether a wallet app signed just now. It has the real time, even if the sandbox's clock was moved. */
function isFresh({ clock, realClock }: Deps, { iat, exp = Infinity }: { iat: unknown; exp?: unknown }): boolean {
  if (typeof iat !== "number" || typeof exp !== "number") return false;
  const times = [clock, realClock].map((one) => one.now() / 1_000);
  return times.some((now) => Math.abs(now - iat) <= signedWithin && now < exp);
}

/** RFC 9901, section 7.1: each disclosure must belong to a digest. If one is repeated, its digest is already used. */
async function usesAllDisclosures(instance: SDJwtVcInstance, presentation: string): Promise<boolean> {
  const decoded = await instance.decode(presentation);
  return (await decoded.presentableKeys(sha256)).length === decoded.disclosures?.length;
}

/** The list at an address of ours. A credential that names another list is refused. */
async function ownStatusList(deps: Deps, uri: string): Promise<string> {
  const uuid = uri.slice(uri.lastIndexOf("/") + 1);
  const token = uri === statusListOf(deps, uuid) ? await statusListToken(deps, uuid) : null;
  if (token === null) throw new Error("the status list is not ours");
  return token;
}

function holderIn(cnf: unknown): Record<string, unknown> {
  const jwk = typeof cnf === "object" && cnf !== null && "jwk" in cnf ? cnf.jwk : undefined;
  return typeof jwk === "object" && jwk !== null ? { ...jwk } : {};
}

function isSigned(jwk: Record<string, unknown>, data: string, signature: string): boolean {
  const { kty, crv, x, y } = jwk;
  if (kty !== "EC" || crv !== "P-256" || typeof x !== "string" || typeof y !== "string") return false;
  const key = createPublicKey({ key: { kty, crv, x, y }, format: "jwk" });
  const bytes = Buffer.from(signature, "base64url");
  return verify("sha256", Buffer.from(data), { key, dsaEncoding: "ieee-p1363" }, bytes);
}
