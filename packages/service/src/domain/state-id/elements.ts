/** What a state ID contains: the elements of a mobile driver's license, and who issued it. */

/** The document type and the namespace of a mobile driver's license (ISO/IEC 18013-5). State ID cards use them too. */
export const documentType = "org.iso.18013.5.1.mDL";
export const isoNamespace = "org.iso.18013.5.1";

/**
 * The elements that we ask for, as ISO/IEC 18013-5 names them. Portraits and other biometric data are not among them.
 * Dates are YYYY-MM-DD. `sex` is an ISO/IEC 5218 digit: 0 not known, 1 male, 2 female, 9 not applicable.
 */
export const stateIdElements = [
  "given_name",
  "family_name",
  "birth_date",
  "resident_address",
  "resident_city",
  "resident_state",
  "resident_postal_code",
  "resident_country",
  "document_number",
  "issue_date",
  "expiry_date",
  "sex",
  "issuing_country",
  "issuing_jurisdiction",
  "issuing_authority",
] as const;
export type StateIdElement = (typeof stateIdElements)[number];

/**
 * A verified state ID. `elements` has only requested elements, and only those that the person shared. The root
 * certificate of the trust list names the authority, not the ID itself. `expiresAt`: when the ID or its proof expires,
 * in Unix milliseconds.
 */
export type StateId = {
  elements: Partial<Record<StateIdElement, string>>;
  authority: StateIdAuthority;
  expiresAt: number;
};

/** `name`: such as "California". `jurisdiction`: ISO 3166-2, such as `US-CA`. */
export type StateIdAuthority = { name: string; jurisdiction: string };
