/** Texts about names that wait for the operator's approval. */
const names: Readonly<Record<string, string>> = {
  externalName: "External name",
  otpOrigin: "Domain for code autofill",
  "styling.logoUrl": "Logo",
  name: "Account name",
};

export const waitingWords = {
  tag: "Waiting for approval",
  nameOf: (path: string) => names[path] ?? path,
  title: "Names and logos waiting for approval",
  lead: "The operator approves names that people read in texts, and logos. The current one is used until then.",
  requested: "Requested",
  current: "In use",
  since: "Since",
  cancel: "Cancel request",
};

export const nameActions = {
  "name.requested": "Requested a new name",
  "name.withdrawn": "Canceled a requested name",
  "name.approved": "Approved a name",
  "name.rejected": "Rejected a name",
};
