/** Asks the person's wallet app for a state ID, through the browser's Digital Credentials API. */
import { generateKeyPair, type JsonWebKey } from "node:crypto";
import { promisify } from "node:util";
import { minuteMs } from "@countersign/contract/time";
import type { JWK } from "jose";
import type { Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { randomToken } from "../token.ts";
import type { StateIdElement } from "./elements.ts";
import { insertStateIdRequest } from "./request-rows.ts";
import { encryptionInfoOf, isoRequest, openidRequest } from "./requests.ts";

/** How long a wallet app may take, in milliseconds. */
export const stateIdLifeMs = 5 * minuteMs;

/** The protocols of the Digital Credentials API that we speak. */
export type StateIdProtocol = "openid4vp-v1-signed" | "openid4vp-v1-unsigned" | "org-iso-mdoc";

/** `subject`: the uuid of the 1-Click. `browser`: a secret of the browser, such as its session. */
export type StateIdAsking = {
  subject: string;
  browser: string;
  /** The origin of the page that calls `navigator.credentials.get`, such as `https://wallet.example`. */
  origin: string;
  elements: readonly StateIdElement[];
};

/**
 * `requests`: the value of `digital.requests` for `navigator.credentials.get`. With a reader certificate, the signed
 * protocol replaces the unsigned one. `expiresAt` is in Unix milliseconds.
 */
export type StateIdRequest = {
  requestUuid: string;
  requests: { protocol: StateIdProtocol; data: Record<string, unknown> }[];
  expiresAt: number;
};

/** What is sealed until the answer: what was asked, and what decrypts and binds the answer. */
export type StateIdRequestContent = {
  elements: readonly StateIdElement[];
  protocols: readonly StateIdProtocol[];
  openid: { nonce: string; privateKey: JWK };
  iso: { encryptionInfo: string; privateKey: JWK };
};

const isoNonceBytes = 16;

/** Saves a request for elements. An earlier request of the 1-Click ends. Throws OCE015 if the 1-Click is gone. */
export async function askForStateId(deps: Deps, asking: StateIdAsking): Promise<StateIdRequest> {
  const { subject, browser, origin, elements } = asking;
  const reader = await deps.vendors.stateIds.reader();
  const [forOpenid, forIso] = [await makeKey(), await makeKey()];
  const nonce = randomToken(deps.random);
  const encryptionInfo = encryptionInfoOf({ nonce: deps.random.bytes(isoNonceBytes), publicKey: forIso.publicKey });
  const requests: StateIdRequest["requests"] = [
    {
      protocol: reader === null ? "openid4vp-v1-unsigned" : "openid4vp-v1-signed",
      data: openidRequest({ elements, reader, origin, nonce, publicKey: forOpenid.publicKey }),
    },
    { protocol: "org-iso-mdoc", data: isoRequest({ elements, reader, origin, encryptionInfo }) },
  ];
  const content: StateIdRequestContent = {
    elements,
    protocols: requests.map(({ protocol }) => protocol),
    openid: { nonce, privateKey: forOpenid.privateKey },
    iso: { encryptionInfo, privateKey: forIso.privateKey },
  };
  const requestUuid = deps.random.uuid();
  const expiresAt = deps.clock.now() + stateIdLifeMs;
  const row = { uuid: requestUuid, oneClickUuid: subject, browser, origin, content, expiresAt };
  if (!(await deps.db.inTransaction((trx) => insertStateIdRequest(deps, trx, row)))) throw fail("OCE015", {});
  return { requestUuid, requests, expiresAt };
}

/** A key for one answer. */
async function makeKey(): Promise<{ privateKey: JWK; publicKey: JWK }> {
  const { privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const { kty = "", crv = "", x = "", y = "", d = "" }: JsonWebKey = privateKey.export({ format: "jwk" });
  return { privateKey: { kty, crv, x, y, d }, publicKey: { kty, crv, x, y } };
}
