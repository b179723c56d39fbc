/**
 * The color scheme at the frame's place on the page. `color-scheme` is inherited, and most light pages do not set it.
 */
export function schemeOf(element: Element): "light" | "dark" {
  const { colorScheme = "" }: Partial<CSSStyleDeclaration> = getComputedStyle(element);
  const words = colorScheme.split(" ");
  return words.includes("dark") && (matches("(prefers-color-scheme: dark)") || !words.includes("light"))
    ? "dark"
    : "light";
}

/** Whether a media query matches. False in a DOM without them, such as that of jsdom in a brand's tests. */
export function matches(query: string): boolean {
  return typeof matchMedia === "function" && matchMedia(query).matches;
}
