/** Texts of the steps to production. */
export const stepWords = {
  title: "Steps to production",
  settings: "Copy the sandbox settings",
  settingsNext: "Do this next. You see what is copied first, and can change it afterwards.",
  checklist: "Complete the checklist",
  checklistNext:
    "The service checks addresses, passkeys and a first call. An owner confirms the rest and sends the request.",
  review: "The operator approves",
  reviewNext: "Then create a production API key.",
};
