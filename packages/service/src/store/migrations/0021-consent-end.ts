import type { Indexes } from "../build-indexes.ts";

/**
 * A BRIN index is enough, because consents are inserted and expire in time order. Expired consents with issuances stay,
 * for billing.
 */
export const consentEnd: Indexes = {
  consent_at: "consent using brin (at)",
  issuance_consent: "issuance (consent_uuid)",
};
