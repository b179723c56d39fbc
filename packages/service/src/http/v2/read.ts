import { Email } from "@countersign/contract/primitives";
import type { OneClickRequest } from "@countersign/contract/v2";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { isRecord } from "../../domain/is-record.ts";
import { type JourneyName, journeyOfType } from "../../domain/journey.ts";
import { identifiersOf } from "../../domain/signup/entity.ts";
import type { NewOneClick } from "../../domain/signup/start.ts";
import { compileCheck } from "../../domain/validate.ts";

/** The journey that this brand's `POST /1-click` begins. Throws if the integration type cannot use this call. */
export function journeyOf({ phones }: HomeDeps, caller: Caller, body: unknown): JourneyName {
  const { integrationType } = caller.brand.settings;
  if (integrationType === "sdk") throw fail("OCE020", namedIn(phones, body));
  const name = journeyOfType[integrationType];
  if (name === null)
    throw fail("ERR001", {}, `A brand of integration type ${integrationType} cannot use this call under /v2.`);
  return name;
}

const checkEmail = compileCheck(Email, "body.email");

/** The identifiers of a body that is not validated, as far as they are valid. */
function namedIn(phones: HomeDeps["phones"], body: unknown) {
  if (!isRecord(body) || typeof body.phone !== "string") return {};
  const judged = phones.judge(body.phone);
  if (judged.kind !== "supported") return {};
  const hasEmail = typeof body.email === "string" && checkEmail(body.email).length === 0;
  return identifiersOf({ phone: judged.phone, ...(hasEmail ? { email: String(body.email) } : {}) }, "customer_otp");
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
