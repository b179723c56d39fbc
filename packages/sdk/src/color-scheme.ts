/** What the page looks like where the frame stands: `color-scheme` is inherited, and says nothing on most light pages. */
export function schemeOf(element: Element): "light" | "dark" {
  const words = getComputedStyle(element).colorScheme.split(" ");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return words.includes("dark") && (prefersDark || !words.includes("light")) ? "dark" : "light";
}
