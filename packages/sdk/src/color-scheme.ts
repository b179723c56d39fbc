/**
 * The color scheme at the frame's place on the page. `color-scheme` is inherited, and most light pages do not set it.
 */
export function schemeOf(element: Element): "light" | "dark" {
  const words = getComputedStyle(element).colorScheme.split(" ");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return words.includes("dark") && (prefersDark || !words.includes("light")) ? "dark" : "light";
}
