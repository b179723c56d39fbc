/** Texts of the approvals and of the request for production. */
import type { ChecklistId } from "@countersign/contract/dashboard-choices";

/** The page for each open checklist item: a page of the brand or, with a leading slash, of the account. */
const checklistToDo: Readonly<Partial<Record<ChecklistId, readonly [path: string, text: string]>>> = {
  consentDeclared: ["production/settings/consent", "Declare it in the production settings"],
  addresses: ["production/settings/redirects", "Open the redirects in the production settings"],
  passkey: ["/me", "Check your own passkey"],
  sandboxFlow: ["sandbox/start", "Make a first call in the sandbox"],
};

/** Maximum number of open items that the note below the button names. */
const namedMax = 3;

export const approvalWords = {
  title: "Approvals",
  lead: "What the operator of this service allows your brand to use.",
  sandboxLead: "The sandbox grants every feature. Production itself needs the operator’s approval.",
  toProduction: "What production needs",
  grantedTitle: "Granted approvals",
  grantedLead:
    "The first, Production, lets the brand run there. The others are features. To get another one, ask the operator of this service.",
  granted: "Granted",
  grantedOf: (count: number, of: number) => `${count} of ${of} granted`,
  notGranted: "Not granted",
  names: {
    production: { name: "Production", says: "Real people’s data, and production API keys." },
    trusted: { name: "Trusted", says: "v1 calls in which you state that you verified the phone." },
    autofill: { name: "Autofill", says: "The carrier supplies the phone number. No text is sent." },
    silent: { name: "Silent", says: "The carrier confirms the phone number. No text is sent." },
    issuance: { name: "Issuance", says: "You issue your own credentials to people." },
    addOns: { name: "Risk signals", says: "Reason codes, carrier, email and device IP." },
    barePhone: {
      name: "Bare phone",
      says: "A phone that you pass counts as verified: sessions skip the code, and 1-Clicks deliver what other brands issued.",
    },
    openidSsn: { name: "SSN by OpenID", says: "The scope ssn, which requests the Social Security number." },
  },
  notServed: (mayRequest: boolean) =>
    `This service runs the sandbox only. ${mayRequest ? "You" : "An owner"} can complete the checklist and send the request. The operator reviews it, and then sets up production elsewhere.`,
  requestTitle: "Checklist for production",
  requestLead: "The operator reviews it together with your request.",
  requestedLead: "The operator has this checklist. If something changed, you can send the request again.",
  stages: {
    title: "Steps to production",
    prepare: "Complete the checklist",
    prepareNext: (done: number, of: number) => `Checklist: ${done} of ${of} done.`,
    request: "Request approval",
    requestNext: "Do this next: an owner sends the request below.",
    review: "The operator reviews the request",
    reviewNext: "Waiting for review. You don’t need to do anything.",
  },
  status: {
    approved: "Approved",
    since: "Production was approved on",
    toKeys: "Create a production API key",
  },
  requested: (by: string) => `Requested by ${by} on`,
  refused: "The operator refused the request on",
  refusedNext: "Change what the reason names, and request approval again.",
  incomplete: "The request was not sent. Some items below are not done or not confirmed.",
  checked: "Checked by the service",
  met: "Done",
  notMet: "To do",
  unneeded: "Not needed",
  whyUnneeded: "The production settings have no URLs yet.",
  toDo: checklistToDo,
  confirmed: (mayRequest: boolean) => `Confirmed by ${mayRequest ? "you" : "an owner"}`,
  confirmedLead: "The service cannot check these.",
  confirmHint: "Check each one that is true.",
  done: (count: number, of: number) => `${count} of ${of} done`,
  stillToDo: (items: readonly string[]) =>
    items.length > namedMax ? `${items.length} items above are still to do.` : `Still to do: ${items.join(", ")}.`,
  short: {
    consentDeclared: "declare the required sentence",
    addresses: "use https URLs",
    passkey: "add passkeys",
    sandboxFlow: "complete a 1-Click in the sandbox",
    keysServerSide: "confirm where keys are used",
    phoneVerification: "confirm phone verification",
    errorHandling: "confirm error handling",
    masking: "confirm masking",
    consentShown: "confirm that people see the sentence",
  } satisfies Record<ChecklistId, string>,
  note: "How can we reach you, and what is the brand for?",
  noteHint: "An email or phone number, and one sentence about the product.",
  send: "Request approval",
  sendAgain: "Request approval again",
  ownerOnly: "You can only view this page. An owner completes the checklist and sends the request.",
};
