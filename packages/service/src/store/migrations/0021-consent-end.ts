import type { Indexes } from "../build-indexes.ts";

/** Consents are written in the order of time, and end in it; what the bill rests on is found by the consent it names. */
export const consentEnd: Indexes = {
  consent_at: "consent using brin (at)",
  issuance_consent: "issuance (consent_uuid)",
};
