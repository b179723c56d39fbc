/** Asks the person's wallet app for a state ID, through the browser's Digital Credentials API. */
import { minuteMs } from "@countersign/contract/time";
import type { Deps } from "../deps.ts";
import type { StateIdElement } from "./elements.ts";

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

/** Saves a request for elements. An earlier request of the 1-Click ends. Throws OCE015 if the 1-Click is gone. */
export async function askForStateId(_deps: Deps, _asking: StateIdAsking): Promise<StateIdRequest> {
  throw new Error("not implemented");
}
