/**
 * Begins a 1-Click whose data is released later. Creates a one-time code, which the service or the brand texts, and a
 * page for the person.
 */
import { type ConsentGiven, recordConsent } from "../audit/consent.ts";
import { requireAllowedTarget } from "../brand/redirect.ts";
import type { Caller, Deps, HomeDeps } from "../deps.ts";
import { type JourneyName, journeys } from "../journey.ts";
import type { OneTimeCode } from "../one-time-code.ts";
import { ensurePerson } from "../person.ts";
import { phoneMissing, supportedPhone } from "../phone.ts";
import type { Phone } from "../ports.ts";
import { randomToken, tokenHash } from "../token.ts";
import { insertVerification } from "../verification/begin.ts";
import type { OneClick, PageContent } from "./one-click.ts";
import { saveOneClick } from "./one-click-rows.ts";
import { serviceTexts } from "./page/invite.ts";
import { type NewOneClick, readRequests } from "./start.ts";

export type BeginOneClick = NewOneClick & {
  page?: PageContent;
  /** The consent text by which the person agreed to get a text message, if one of our screens showed it. */
  consent?: ConsentGiven;
  /** When the session of the SDK began, in Unix milliseconds. */
  sessionAt?: number;
};
export type Begun = {
  uuid: string;
  phone: Phone;
  personUuid: string;
  verificationUuid: string;
  code: OneTimeCode;
  pageToken: string;
  pageUrl: string;
};

/** Length of a page's token, which is the random part of its URL: 22 letters and digits, 113 random bits. */
export const pageTokenLength = 22;

const hasPage = (journey: JourneyName) => journeys[journey].proof !== "brandCode";

/** Validates a request to begin. Stores nothing and asks no source. */
export function checkBegin(
  deps: HomeDeps,
  caller: Caller,
  journey: JourneyName,
  ask: BeginOneClick,
): { phone: Phone; requestTree: OneClick["requestTree"] } {
  if (ask.phone === undefined) throw phoneMissing(ask.inputs);
  const requestTree = readRequests(deps, caller, ask, journey);
  const phone = supportedPhone(deps, ask.phone);
  // Without a page of ours, nothing redirects.
  if (hasPage(journey)) requireAllowedTarget(deps.policy, caller.brand.settings, ask.page?.redirectUrl);
  return { phone, requestTree };
}

/** Creates the 1-Click and its verification. Asks no source, so nobody can look up a phone before it is proven. */
export async function beginOneClick(
  deps: Deps,
  caller: Caller,
  journey: JourneyName,
  ask: BeginOneClick,
): Promise<Begun> {
  const { phone, requestTree } = checkBegin(deps, caller, journey, ask);
  const uuid = deps.random.uuid();
  const pageToken = randomToken(deps.random, pageTokenLength);
  const { email, deviceIp } = ask.inputs;
  const { personUuid, verificationUuid, code } = await deps.db.inTransaction(async (trx) => {
    const person = await ensurePerson(deps, trx, phone);
    const codeShownToBrand = !serviceTexts(deps, caller, journey);
    const begun = await insertVerification(deps, trx, caller.brand.uuid, {
      person,
      secrets: {
        phone,
        ...(journeys[journey].openPage === null ? {} : { inWallet: true }),
        ...(journeys[journey].readWith === "tokens" ? { forTokens: true } : {}),
      },
      codeShownToBrand,
    });
    const oneClick: OneClick = {
      uuid,
      journey,
      state: "awaitingProof",
      refusal: null,
      phoneMethod: "otp",
      verificationUuid: begun.uuid,
      requestTree,
      facts: { phone, email, deviceIp, inputs: ask.inputs, page: ask.page ?? {}, risk: null, credentials: [] },
      ...(ask.sessionAt === undefined ? {} : { sessionAt: ask.sessionAt }),
    };
    const saving = {
      brand: caller.brand,
      oneClick,
      person,
      ...(hasPage(journey) ? { pageHash: tokenHash(pageToken) } : {}),
    };
    await saveOneClick(deps, trx, saving);
    if (ask.consent !== undefined) {
      const subject = { phone, personUuid: person.uuid, oneClickUuid: uuid };
      await recordConsent(deps, trx, caller, { ...subject, action: "prove", given: ask.consent });
    }
    return { personUuid: person.uuid, verificationUuid: begun.uuid, code: begun.code };
  });
  return {
    uuid,
    phone,
    personUuid,
    verificationUuid,
    code,
    pageToken,
    pageUrl: `${deps.addresses.walletUrl}/request/${pageToken}`,
  };
}
