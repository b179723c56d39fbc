/** Choices that the dashboard offers. This file has no schemas, so browser code can import it. */

/** A webhook that has failed for this long is urgent, in milliseconds. Until then it is only shown. */
export const webhookUrgentAfterMs = 2 * 60 * 60_000;

/** How long the old key keeps working after a roll, in hours. */
export const rollOverlapHours = [0, 1, 24, 72, 168] as const;

/** What a brand confirms before it may serve real people. The service checks the items with `isComputed`. */
export const checklist = [
  {
    id: "consentDeclared",
    isComputed: true,
    says: "Declare in production that people see the required sentence.",
  },
  { id: "addresses", isComputed: true, says: "Use only public https URLs in the production settings." },
  { id: "passkey", isComputed: true, says: "Have every owner add a passkey." },
  { id: "sandboxFlow", isComputed: true, says: "Complete at least one 1-Click in the sandbox." },
  {
    id: "keysServerSide",
    isComputed: false,
    says: "API keys are used on our servers only, never in an app or a page.",
  },
  { id: "phoneVerification", isComputed: false, says: "A person’s phone is verified before their data is asked for." },
  { id: "errorHandling", isComputed: false, says: "After every error people can continue with manual sign-up." },
  {
    id: "masking",
    isComputed: false,
    says: "Social Security numbers and birth dates are masked wherever we show them.",
  },
  {
    id: "consentShown",
    isComputed: false,
    says: "People see the required sentence and its link before they continue.",
  },
] as const;
export type ChecklistId = (typeof checklist)[number]["id"];
