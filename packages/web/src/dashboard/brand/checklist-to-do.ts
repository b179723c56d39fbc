import type { ChecklistId } from "@countersign/contract/dashboard-choices";

/** The page for each open checklist item: a page of the brand or, with a leading slash, of the account. */
export const checklistToDo: Readonly<Partial<Record<ChecklistId, readonly [path: string, text: string]>>> = {
  consentDeclared: ["production/settings/consent", "Declare it in the production settings"],
  addresses: ["production/settings/redirects", "Open the redirects in the production settings"],
  passkey: ["/me", "Check your own passkey"],
  sandboxFlow: ["sandbox/start", "Make a first call in the sandbox"],
};
