/** The first that fits counts: browsers name those they descend from as well. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** A device in a few words, as far as it says so itself: enough to know one's own again. Empty where it says nothing known. */
export function deviceWords(userAgent: string | undefined): string {
  const named = (all: [RegExp, string][]) => all.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  return [named(browsers), named(systems)].filter((one) => one !== undefined).join(", ");
}
