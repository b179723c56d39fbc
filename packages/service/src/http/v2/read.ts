import type { OneClickRequest } from "@countersign/contract/v2";
import type { Caller } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { type JourneyName, journeyOfType } from "../../domain/journey.ts";
import type { NewOneClick } from "../../domain/signup/start.ts";

/** The journey that this brand's `POST /1-click` begins. Throws if the integration type cannot use this call. */
export function journeyOf(caller: Caller): JourneyName {
  const { integrationType } = caller.brand.settings;
  if (integrationType === "sdk") throw fail("OCE020", {});
  const name = journeyOfType[integrationType];
  if (name === null)
    throw fail("ERR001", {}, `A brand of integration type ${integrationType} cannot use this call under /v2.`);
  return name;
}

/** What the person's page shows, and where it redirects. */
export function readPage({ content, redirectUrl }: OneClickRequest) {
  return { title: content?.title, description: content?.description, redirectUrl };
}

/** Reads the body of a `POST /1-click`. */
export function readNewOneClick(body: OneClickRequest): NewOneClick {
  const {
    identityUuid,
    verificationUuid,
    phone,
    credentialRequests,
    email,
    deviceIp,
    birthDate,
    ssn4,
    fullName,
    address,
  } = body;
  return {
    identityUuid,
    verificationUuid,
    phone,
    credentialRequests,
    inputs: { email, deviceIp, birthDate, ssn4, fullName, address },
  };
}
