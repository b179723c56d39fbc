/** The first match wins, because browsers also name the browsers that they derive from. */
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

/** A short name of a device, so that its owner recognizes it in a list. Null if the device is unknown. */
export function deviceName(userAgent: string | undefined): string | null {
  const named = (all: [RegExp, string][]) => all.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const names = [named(browsers), named(systems)].filter((one) => one !== undefined);
  return names.length === 0 ? null : names.join(", ");
}
