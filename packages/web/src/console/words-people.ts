/** Texts of the page about a person: what is stored, in the words of the glossary. */
import type { RecordWords } from "@countersign/contract/record-words";

const tables: Readonly<Record<string, string>> = {
  one_click: "1-Clicks",
  verification: "Verifications",
  message: "Texts",
  health_lookup: "Insurance lookups",
  issued_credential: "Credentials issued by brands",
  takeout: "Copies for wallet apps",
  account_session: "Sessions on their own page",
  consent: "Decisions",
  audit: "Entries of their timeline",
  ledger_entry: "Billing entries",
  request_log: "Calls in the request log",
  text_stop: "STOP and START",
  session: "Sessions of the SDK",
};

const erased = "Values erased";
const states: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  one_click: {
    awaitingProof: "Waits for the phone to be verified",
    awaitingInputs: "Waits for details",
    awaitingDecision: "Waits for the person’s decision",
    released: "Shared with the brand",
    declined: "Declined",
    refused: "Refused",
    erased,
  },
  verification: {
    pending: "Begun",
    sending: "Text on its way",
    delivered: "Text delivered",
    verified: "Phone verified",
    expired: "Expired",
    failed: "Failed",
  },
  message: {
    queued: "Queued",
    superseded: "Replaced by a newer text",
    sent: "Sent",
    delivered: "Delivered",
    failed: "Failed",
  },
  health_lookup: {
    pending: "Queued",
    processing: "Asks insurers",
    offered: "Waits for the person’s decision",
    succeeded: "Insurance found",
    partial: "Insurance found in part",
    failed: "No insurance found",
    erased,
  },
  issued_credential: { valid: "Valid", revoked: "Revoked" },
  consent: {
    share: "Shared with a brand",
    decline: "Declined",
    prove: "Agreed to get a text",
    withdraw: "Stopped sharing",
    delete: "Deleted everything",
    handOver: "Said that the number is new to them",
    addToWallet: "Let a wallet app add a detail",
    issue: "Agreed to a credential",
  },
  ledger_entry: { issuedCredentialUsed: "A brand’s credential was used", editsReported: "Edits were reported" },
  text_stop: { stopped: "Sent STOP", started: "Sent START" },
};
/** The person's own page says “you”. Here, the operator reads about the person. */
const events: Readonly<Record<string, string>> = {
  "oneClick.shown": "Details were shown for review",
  "oneClick.released": "The brand received data",
  "oneClick.read": "The brand read data",
  "oneClick.declined": "The person chose not to share",
  "oneClick.refused": "The brand asked and got nothing",
  "verification.verified": "The phone was verified",
  "verification.denied": "The person did not ask for the text",
  "credential.issued": "The brand issued a credential",
  "credential.read": "The brand read its credential",
  "credential.changed": "The brand changed its credential",
  "health.requested": "The brand asked for insurance",
  "health.released": "The brand received insurance",
  "health.ended": "The brand asked for insurance and got no plan",
  "health.read": "The brand read insurance",
  "account.signedIn": "The person signed in",
  "account.corrected": "The person corrected data",
  "account.downloaded": "The person downloaded everything",
  "account.withdrawn": "The person stopped sharing",
  "account.tookOut": "The person added a detail to a wallet app",
  "account.allowedWallet": "The person let a wallet app add a detail",
  "account.withdrewCredential": "The person withdrew a detail from a wallet app",
  "account.handedOver": "The person said that the number is new to them",
} satisfies Record<keyof RecordWords["events"], string>;

/** The name of a table about people. */
export const tableName = (table: string): string => tables[table] ?? table;

/** A state as a reader says it. A state without words of its own, such as a kind of credential, is split into words. */
export function stateName(table: string, state: string): string {
  const known = table === "audit" ? events[state] : states[table]?.[state];
  if (known !== undefined) return known;
  const words = state
    .replace(/[._-]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const peopleWords = {
  title: "A person",
  lead: "For a person who asks what is stored. You see what exists and where, never a value. The look is recorded.",
  phone: "Phone number",
  phoneHint: "The number with which the person wrote or called. Check first that it is theirs.",
  look: "Look",
  steps: "When a person asks",
  stepTexts: [
    "Check that the number is theirs: for example, call it back.",
    "Enter the number and the number of the case. The audit log keeps the look with your name, also if nothing is stored.",
    "Tell the person what exists and at which brands. Nobody here can read the values. They can: on their own page.",
    "If they ask for it, delete them, and send them the signed receipt.",
  ],
  none: "Nothing is stored",
  noneLead: "The service knows no person with this number in this environment. A deleted person leaves an audit entry.",
  toDeletions: "Open deletions in the audit log",
  found: "What is stored",
  foundLead: "By brand. Values are encrypted, and nobody can read them here.",
  brands: "Brands",
  brandsSay: "have something about this person",
  records: "Records",
  recordsSay: "in all tables",
  uuid: "UUID",
  firstSeen: "Known since",
  lastProven: "Phone last verified",
  holders: (count: number) =>
    `The number had ${count} earlier ${count === 1 ? "holder" : "holders"}. Their data no longer leads to it.`,
  fixed: "All customers of the sandbox share this test person. A deletion only resets it.",
  brand: "Brand",
  what: "What",
  state: "State",
  count: "Number",
  latest: "Latest",
  noBrand: "No brand",
  receipts: "Receipts",
  receiptsLead: "Decisions that a signed receipt proves. The person downloads them on their own page.",
  olderReceipts: (receipts: number) => `${receipts} older ${receipts === 1 ? "receipt" : "receipts"}`,
  noReceipts: "No decision yet.",
  decision: "Decision",
  looks: "Who looked",
  who: "Who",
  when: "When",
  why: "Reason",
  remove: "Delete this person",
  removeLead: "As the person can themselves, on their own page. You get a signed receipt for them.",
  resetHead: "Reset this test person",
  resetAction: "Reset this person",
  resetTitle: "Reset this test person?",
  resetText:
    "What all brands of the sandbox have about this test person is erased. The person can be used again at once.",
  removeTitle: "Delete this person?",
  removeText:
    "Their key is destroyed, so nothing that is sealed under it can be read again, not even in a backup. Evidence without values stays for five years. This cannot be undone.",
  removeAction: "Delete",
  deleted: "The person is deleted",
  reset: "The test person is reset",
  deletedLead: "Send the person the receipt. It proves the deletion, and contains no personal value.",
  receipt: "Receipt of the deletion",
  saveReceipt: "Save as a file",
  another: "Look at another person",
};
