import type { ChecklistId } from "@countersign/contract/dashboard-choices";

/** Where an open item of the checklist is done: a page of the brand, or of the account with a leading slash. */
export const checklistToDo: Readonly<Partial<Record<ChecklistId, readonly [path: string, text: string]>>> = {
  consentDeclared: ["production/settings/consent", "Declare it"],
  addresses: ["production/settings/redirects", "Open the redirects in the production settings"],
  passkey: ["/me", "Add your passkey"],
  sandboxFlow: ["sandbox/start", "Make a first call in the sandbox"],
};
