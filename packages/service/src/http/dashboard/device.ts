/** A browser's name, so that its owner recognizes it in a list. It is not exact, and not a fingerprint. */
export function deviceOf(userAgent: string): string {
  const browser = firstOf(browsers, userAgent) ?? "A browser";
  const system = firstOf(systems, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

// In this order, because most browsers also name the browsers that they derive from.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, "Edge"],
  [/\bFirefox\//, "Firefox"],
  [/\b(Headless)?Chrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone|iPad\b/, "iOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bWindows\b/, "Windows"],
  [/\bLinux\b/, "Linux"],
];

function firstOf(table: readonly (readonly [RegExp, string])[], text: string): string | undefined {
  return table.find(([pattern]) => pattern.test(text))?.[1];
}
