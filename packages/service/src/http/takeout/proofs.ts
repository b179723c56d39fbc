/** Proofs in which a wallet shows, for each copy, that it holds the key to which the copy is bound. */
import { createPublicKey, verify } from "node:crypto";
import { type CallbackContext, Oauth2Error, setGlobalConfig } from "@openid4vc/oauth2";
import { type IssuerMetadataResult, Openid4vciIssuer, Openid4vciVersion } from "@openid4vc/openid4vci";
import type { HomeDeps } from "../../domain/deps.ts";
import type { HolderKey } from "../../domain/takeout/issue.ts";
import { hasAcceptedHeader, signatureAlgorithm } from "../../domain/takeout/keys.ts";
import { authorizationMetadata, batchMax, issuerMetadata } from "../../domain/takeout/kinds.ts";
import { WalletRefusal } from "../../domain/takeout/refusal.ts";

// The library sees only our own addresses here, and a sandbox on this machine uses http.
setGlobalConfig({ allowInsecureUrls: true });

type Callbacks = Omit<CallbackContext, "getX509CertificateMetadata">;

const notUsed = (): never => {
  throw new Oauth2Error("This issuer does not use it.");
};

export const callbacks: Callbacks = {
  hash: notUsed,
  signJwt: notUsed,
  fetch: notUsed,
  generateRandom: notUsed,
  encryptJwe: notUsed,
  decryptJwe: notUsed,
  clientAuthentication: notUsed,
  verifyJwt(signer, { compact }) {
    const key = signer.method === "jwk" && signer.alg === signatureAlgorithm ? holderKeyOf(signer.publicJwk) : null;
    if (signer.method !== "jwk" || key === null || !isSignedBy(key, compact)) return { verified: false };
    return { verified: true, signerJwk: signer.publicJwk };
  },
};

export const issuer = new Openid4vciIssuer({ callbacks });

/** What the library needs to know about this issuer. */
export function metadataOf(deps: HomeDeps): IssuerMetadataResult {
  const credentialIssuer = issuer.createCredentialIssuerMetadata(issuerMetadata(deps));
  const { issuer: address, token_endpoint } = authorizationMetadata(deps);
  return {
    originalDraftVersion: Openid4vciVersion.V1,
    credentialIssuer,
    authorizationServers: [{ issuer: address, token_endpoint }],
    knownCredentialConfigurations: issuer.getKnownCredentialConfigurationsSupported(credentialIssuer),
  };
}

/** A P-256 public key without further members. Null for anything else, including a private key. */
function holderKeyOf(jwk: Record<string, unknown>): HolderKey | null {
  const { kty, crv, x, y } = jwk;
  if (kty !== "EC" || crv !== "P-256" || typeof x !== "string" || typeof y !== "string") return null;
  return "d" in jwk ? null : { kty, crv, x, y };
}

function isSignedBy(jwk: HolderKey, compact: string): boolean {
  const end = compact.lastIndexOf(".");
  const signature = Buffer.from(compact.slice(end + 1), "base64url");
  const key = createPublicKey({ key: jwk, format: "jwk" });
  return verify("sha256", Buffer.from(compact.slice(0, end)), { key, dsaEncoding: "ieee-p1363" }, signature);
}

export type Proven = { keys: HolderKey[]; nonces: string[] };

/** The proven keys, each once, and the nonces of the proofs. */
export async function provenBy(deps: HomeDeps, proofs: readonly string[]): Promise<Proven> {
  if (proofs.length > batchMax) throw new WalletRefusal("invalid_proof", `Send at most ${batchMax} proofs.`);
  const issuerMetadata = metadataOf(deps);
  const proven = await Promise.all(
    proofs.map((jwt) => provenByOne(issuerMetadata, { jwt, now: deps.realClock.now() })),
  );
  const keys = proven.map(({ key }) => key);
  if (keys.length === 0 || new Set(keys.map(({ x, y }) => `${x}.${y}`)).size < keys.length)
    throw new WalletRefusal("invalid_proof", "Send one proof for each copy, each with another key.");
  return { keys, nonces: proven.map(({ nonce }) => nonce) };
}

async function provenByOne(issuerMetadata: IssuerMetadataResult, { jwt, now }: { jwt: string; now: number }) {
  const verified = await issuer
    .verifyCredentialRequestJwtProof({ issuerMetadata, jwt, now: new Date(now) })
    .catch(() => null);
  const { aud, nonce } = verified?.payload ?? {};
  const key = holderKeyOf({ ...verified?.header.jwk });
  // The library would also accept a proof for several audiences, or without a nonce.
  const isForUs = aud === issuerMetadata.credentialIssuer.credential_issuer;
  if (key === null || !isForUs || nonce === undefined || !hasAcceptedHeader(verified?.header))
    throw new WalletRefusal(
      "invalid_proof",
      `Sign each proof with ES256 and the key in its header, for ${issuerMetadata.credentialIssuer.credential_issuer}, with a nonce.`,
    );
  return { key, nonce };
}

/** The offer as a link for wallets. */
export async function offerLink(
  deps: HomeDeps,
  { uuid, kind, code }: { uuid: string; kind: string; code: string },
): Promise<string> {
  const { credentialOffer } = await issuer.createCredentialOffer({
    issuerMetadata: metadataOf(deps),
    credentialConfigurationIds: [kind],
    grants: {
      authorization_code: { issuer_state: uuid },
      "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
        "pre-authorized_code": code,
        tx_code: { input_mode: "numeric", length: 6 },
      },
    },
  });
  return credentialOffer;
}
