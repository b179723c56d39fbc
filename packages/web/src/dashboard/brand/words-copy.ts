/** Texts of the questions before a copy to production. */
export const copyWords = {
  title: (section: string) => `Copy “${section}” to production?`,
  ask: "Production then has exactly these values. If the sandbox changes meanwhile, nothing is copied.",
  beginAsk: "These sandbox settings are copied, where production accepts them. All others get their defaults.",
  beginDefaults:
    "The sandbox has the default settings, so production starts with the defaults. You can change them there.",
  beginConfirm: "Set up production",
};
