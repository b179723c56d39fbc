/**
 * A wallet and a verifier that share no code with the service: they are made of libraries, and reach the service over
 * HTTP only.
 */
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { after } from "node:test";
import type { OwnKind } from "@countersign/contract/takeout";
import { clientAuthenticationNone, setGlobalConfig } from "@openid4vc/oauth2";
import { Openid4vciClient } from "@openid4vc/openid4vci";
import { Openid4vpClient } from "@openid4vc/openid4vp";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import type { KbVerifier, PresentationFrame, Signer } from "@sd-jwt/types";
import { DcqlQuery } from "dcql";
import {
  calculateJwkThumbprint,
  compactVerify,
  createLocalJWKSet,
  importJWK,
  type JSONWebKeySet,
  type JWK,
} from "jose";
import { type Browser, birthDate, phoneOnRecord, signIn } from "./account-page.ts";
import { agreed } from "./consent-shown.ts";
import type { Sandbox } from "./sandbox.ts";

// The sandbox of a test has no TLS.
setGlobalConfig({ allowInsecureUrls: true });

const hasher = (data: string | ArrayBuffer) =>
  createHash("sha256")
    .update(typeof data === "string" ? data : Buffer.from(data))
    .digest();

/** Serves the wallet's listener on a port of its own, which becomes its public address. */
export async function walletOverHttp({ wallet, deps }: Sandbox): Promise<void> {
  await wallet.listen({ host: "127.0.0.1", port: 0 });
  after(() => wallet.close());
  const address = wallet.server.address();
  assert.ok(typeof address === "object" && address !== null);
  deps.addresses.walletUrl = `http://localhost:${address.port}`;
}

type Key = { publicJwk: JWK; sign: Signer };

/** A key of the holder. */
export async function holderKey(): Promise<Key> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return {
    publicJwk: { kty: "EC", crv: "P-256", x, y },
    // Signs any header, also one that a library refuses.
    sign: async (data) =>
      sign("sha256", Buffer.from(data), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url"),
  };
}

const clientId = "a-wallet";

function clientWith(keys: ReadonlyMap<string, Key>): Openid4vciClient {
  return new Openid4vciClient({
    callbacks: {
      fetch,
      clientAuthentication: clientAuthenticationNone({ clientId }),
      generateRandom: (length) => randomBytes(length),
      hash: (data) => createHash("sha256").update(data).digest(),
      async signJwt(signer, { header, payload }) {
        assert.ok(signer.method === "jwk");
        const key = keys.get(await calculateJwkThumbprint(signer.publicJwk));
        const text = [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
        return { jwt: `${text}.${await key?.sign(text)}`, signerJwk: signer.publicJwk };
      },
    },
  });
}

/** A wallet that gets credentials by OpenID4VCI. */
export function holder() {
  const keys = new Map<string, Key>();
  const client = clientWith(keys);
  const newKey = async () => {
    const key = await holderKey();
    keys.set(await calculateJwkThumbprint(key.publicJwk), key);
    return key;
  };
  /** Exchanges the offer for a token. */
  const begin = async (offer: string, txCode: string) => {
    const credentialOffer = await client.resolveCredentialOffer(offer);
    const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer);
    const { accessTokenResponse } = await client.retrievePreAuthorizedCodeAccessTokenFromOffer({
      credentialOffer,
      issuerMetadata,
      txCode,
    });
    const [credentialConfigurationId = ""] = credentialOffer.credential_configuration_ids;
    return { issuerMetadata, accessToken: accessTokenResponse.access_token, credentialConfigurationId };
  };
  type Begun = Awaited<ReturnType<typeof begin>>;
  const proofOf = async (begun: Begun, key: Key, nonce: string) => {
    const { jwt } = await client.createCredentialRequestJwtProof({
      ...begun,
      nonce,
      signer: { method: "jwk", alg: "ES256", publicJwk: { ...key.publicJwk, kty: "EC" } },
    });
    return jwt;
  };
  const nonceOf = async ({ issuerMetadata }: Begun) => (await client.requestNonce({ issuerMetadata })).c_nonce;
  const collect = async (begun: Begun, jwts: [string, ...string[]]) => {
    const { credentialResponse } = await client.retrieveCredentials({ ...begun, proofs: { jwt: jwts } });
    return (credentialResponse.credentials ?? []).map((one) => String(typeof one === "string" ? one : one.credential));
  };
  const copiesOf = async (begun: Begun, count = 1) => {
    const nonce = await nonceOf(begun);
    const own = await Promise.all(Array.from({ length: count }, newKey));
    const [first = "", ...more] = await Promise.all(own.map((key) => proofOf(begun, key, nonce)));
    const copies = await collect(begun, [first, ...more]);
    return copies.map((copy, position) => ({ copy, key: own[position] ?? assert.fail("a copy without a key") }));
  };
  /** The whole way from an offer and its digits to its copies. */
  const accept = async (offer: string, txCode: string, count = 1) => copiesOf(await begin(offer, txCode), count);
  /** Requests the offered credential with the authorization code flow. The person's browser opens `url`. */
  const ask = async (offer: string, redirectUri = "https://wallet.example/back") => {
    const credentialOffer = await client.resolveCredentialOffer(offer);
    const issuerMetadata = await client.resolveIssuerMetadata(credentialOffer.credential_issuer);
    const state = randomBytes(16).toString("base64url");
    const { authorizationRequestUrl, pkce } = await client.createAuthorizationRequestUrlFromOffer({
      credentialOffer,
      issuerMetadata,
      clientId,
      redirectUri,
    });
    const url = `${authorizationRequestUrl}&${new URLSearchParams({ state })}`;
    return { credentialOffer, issuerMetadata, state, url, redirectUri, verifier: pkce?.codeVerifier ?? "" };
  };
  type AuthorizationRequest = Awaited<ReturnType<typeof ask>>;
  /** The code in the address to which the browser returned. Refuses an answer of another issuer or another request. */
  const codeIn = ({ issuerMetadata, state }: AuthorizationRequest, url: string): string => {
    const [authorizationServerMetadata = assert.fail("no metadata")] = issuerMetadata.authorizationServers;
    const answer = client.parseAndVerifyAuthorizationResponseRedirectUrl({ url, authorizationServerMetadata });
    assert.equal(answer.state, state, "the answer is for another request");
    return answer.code ?? assert.fail(answer.error);
  };
  const exchange = async (
    { credentialOffer, issuerMetadata, verifier, redirectUri }: AuthorizationRequest,
    code: string,
  ) => {
    const { accessTokenResponse } = await client.retrieveAuthorizationCodeAccessTokenFromOffer({
      credentialOffer,
      issuerMetadata,
      authorizationCode: code,
      pkceCodeVerifier: verifier,
      redirectUri,
    });
    const [credentialConfigurationId = ""] = credentialOffer.credential_configuration_ids;
    return { issuerMetadata, accessToken: accessTokenResponse.access_token, credentialConfigurationId };
  };
  return { client, newKey, begin, proofOf, nonceOf, collect, copiesOf, accept, ask, codeIn, exchange };
}

/** Presents some claims of a copy to a verifier. */
export async function present(
  { copy, key }: { copy: string; key: Key },
  frame: PresentationFrame<Record<string, unknown>>,
  binding: { nonce: string; audience: string; at: number },
): Promise<string> {
  const holderSide = new SDJwtVcInstance({ hasher, hashAlg: "sha-256", kbSigner: key.sign, kbSignAlg: "ES256" });
  return await holderSide.present(copy, frame, {
    kb: { payload: { iat: Math.floor(binding.at / 1_000), nonce: binding.nonce, aud: binding.audience } },
  });
}

/** Binds a copy and its disclosures to a request, with chosen claims of the key-binding JWT. */
export async function bind(
  { key }: { key: Key },
  disclosed: string,
  claims: Record<string, unknown>,
  header: object = {},
): Promise<string> {
  const payload = { ...claims, sd_hash: hasher(disclosed).toString("base64url") };
  const parts = [{ typ: "kb+jwt", alg: "ES256", ...header }, payload];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${disclosed}${text}.${await key.sign(text)}`;
}

/** A wallet's answers to a request by OpenID4VP. */
export function presenter() {
  const client = new Openid4vpClient({
    callbacks: {
      fetch,
      hash: (data) => createHash("sha256").update(data).digest(),
      signJwt: () => assert.fail("the answer is not signed"),
      encryptJwe: () => assert.fail("the answer is not encrypted"),
      decryptJwe: () => ({ decrypted: false }),
      verifyJwt: () => assert.fail("the request is not signed"),
    },
  });
  /** Reads a request as a wallet does. */
  const read = async (request: string) => {
    const parsed = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: request });
    assert.ok(parsed.type === "openid4vp");
    const { authorizationRequestPayload: payload, dcql } = await client.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: parsed.params,
    });
    assert.ok("response_uri" in payload && typeof payload.response_uri === "string");
    assert.ok("client_id" in payload && typeof payload.client_id === "string");
    const query = DcqlQuery.parse(JSON.parse(JSON.stringify(dcql?.query)));
    DcqlQuery.validate(query);
    return { payload, responseUri: payload.response_uri, nonce: payload.nonce, audience: payload.client_id, query };
  };
  /** Sends presentations by the id of each credential. Returns the service's answer. */
  const send = async (
    { payload, responseUri }: Awaited<ReturnType<typeof read>>,
    presentations: Record<string, [string]>,
  ) => {
    const { authorizationResponsePayload } = await client.createOpenid4vpAuthorizationResponse({
      authorizationRequestPayload: payload,
      authorizationResponsePayload: { vp_token: presentations },
    });
    const { response } = await client.submitOpenid4vpAuthorizationResponse({
      authorizationRequestPayload: { response_uri: responseUri },
      authorizationResponsePayload,
    });
    return { status: response.status, body: await response.json() };
  };
  return { read, send };
}

/** A verifier that checks the issuer's signature, the type, the status, the holder's key, the nonce and the audience. */
export function verifier(options: { issuer: string; vct: string; audience: string; now(): number }) {
  const json = async (url: string) => (await fetch(url)).json();
  const jwksOf = async (): Promise<JSONWebKeySet> => {
    const { origin, pathname } = new URL(options.issuer);
    const metadata = await json(`${origin}/.well-known/jwt-vc-issuer${pathname}`);
    assert.equal(metadata.issuer, options.issuer);
    return metadata.jwks;
  };
  const byIssuer = async (data: string, signature: string) => {
    const keys = createLocalJWKSet(await jwksOf());
    await compactVerify(`${data}.${signature}`, keys);
    return true;
  };
  const kbVerifier: KbVerifier = async (data, signature, payload) => {
    const cnf: unknown = payload.cnf;
    assert.ok(typeof cnf === "object" && cnf !== null && "jwk" in cnf && typeof cnf.jwk === "object");
    await compactVerify(`${data}.${signature}`, await importJWK({ ...cnf.jwk }, "ES256"));
    return true;
  };
  const verifying = new SDJwtVcInstance({
    hasher,
    hashAlg: "sha-256",
    verifier: byIssuer,
    kbVerifier,
    statusVerifier: byIssuer,
    statusListFetcher: async (uri) => (await fetch(uri)).text(),
  });
  return async (presentation: string, { nonce, needs }: { nonce: string; needs: string[] }) => {
    const currentDate = Math.floor(options.now() / 1_000);
    const { payload, kb } = await verifying.verify(presentation, {
      currentDate,
      keyBindingNonce: nonce,
      requiredClaimKeys: needs,
    });
    assert.equal(payload.vct, options.vct, "the type is another one");
    assert.equal(kb?.payload.aud, options.audience, "it was presented to another verifier");
    return payload;
  };
}

/** What the person's browser does with a wallet's request: it opens our page, which sends the person's answer. */
export async function answerFor(page: Browser, url: string, allow = true): Promise<string> {
  const asking = new URL((await fetch(url, { redirect: "manual" })).headers.get("location") ?? "");
  assert.equal(asking.pathname, "/");
  const request = new URLSearchParams(asking.hash.slice("#wallet?".length));
  const text = (name: string) => request.get(name) ?? "";
  const body = {
    allow,
    clientId: text("client_id"),
    redirectUri: text("redirect_uri"),
    challenge: text("code_challenge"),
    state: text("state"),
    consent: agreed("addToWallet"),
  };
  const { continueAt } = (await page.answerWallet({ params: { uuid: text("issuer_state") }, body })).body;
  return continueAt;
}

/** Someone who signs in, proves who they are, and asks for an offer. */
export async function offerTo(it: Sandbox, own: OwnKind, phone?: string) {
  const page = await signIn(it, phone ?? (await phoneOnRecord(it)));
  await page.proveAccount({ body: { birthDate } });
  return { page, ...(await page.takeOut({ body: { own } })).body };
}
