import type { Indexes } from "../build-indexes.ts";

/** Consents are inserted and expire in time order, hence BRIN. Expired consents with issuances stay, for billing. */
export const consentEnd: Indexes = {
  consent_at: "consent using brin (at)",
  issuance_consent: "issuance (consent_uuid)",
};
