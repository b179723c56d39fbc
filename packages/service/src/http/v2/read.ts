import type { OneClickRequest } from "@countersign/contract/v2";
import type { Caller } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { type JourneyName, journeyOfType, journeys } from "../../domain/journey.ts";
import type { OneClickAsk } from "../../domain/signup/start.ts";

/** The row that this brand's `POST /1-click` begins, where it is one that answers at once. */
export function answeringJourney(caller: Caller): JourneyName {
  const { integrationType } = caller.brand.settings;
  if (integrationType === "sdk") throw fail("OCE020", {});
  const name = journeyOfType[integrationType];
  if (name === null || journeys[name].answers !== "now") {
    throw fail("ERR001", {}, `A brand of integration type ${integrationType} cannot use this call.`);
  }
  return name;
}

/** The wire's body in the domain's words. */
export function readAsk(body: OneClickRequest): OneClickAsk {
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
