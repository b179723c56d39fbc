/** Texts of the wallet's preview. */
export const previewWords = {
  title: "Preview",
  screen: "Screen",
  screens: { code: "Code", review: "Review", missing: "Missing", done: "End" },
  scheme: "Colors",
  schemes: { light: "Light", dark: "Dark" },
  note: "The wallet’s own screens, with the values of the sandbox’s test person. People see their own.",
};
