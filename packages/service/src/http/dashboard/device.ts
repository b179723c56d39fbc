/** A browser's name that its owner recognizes in a list. It is not exact, and not a fingerprint. */
export function deviceOf(userAgent: string): string {
  const browser = firstOf(browsers, userAgent) ?? "A browser";
  const system = firstOf(systems, userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}

// The order matters: most browsers also name the browsers that they resemble.
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
