/** Messages of lookups without a complete result. They never contain personal values. */
export const messages = {
  noCoverage: "No coverage found",
  payerUnknown: "Payer not found",
  payerAmbiguous: "Payer ambiguous: several payers match equally; name one by its id",
  payerUnsupported: "The payer does not answer eligibility checks",
  payerUnavailable: "Payer unavailable: the eligibility check was not answered",
  checkLost: "The eligibility check was interrupted and is not repeated",
  discoveryUnavailable: "Insurance discovery is unavailable",
  discoveryLost: "Insurance discovery was interrupted and is not repeated",
  otherPerson: "The payer answered about another person; its answer was withheld",
  unfinished: "The lookup could not be completed",
} as const;
