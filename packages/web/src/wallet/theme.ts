import { inScheme, type Scheme } from "@countersign/contract/theme";

let scheme: Scheme | undefined;

/** Switches all themes to their light or dark version, to match the brand's page around the frame. */
export function fixColorScheme(wanted: Scheme): void {
  scheme = wanted;
}

/** Replaces the page's style sheet with the brand's. Resolves when it is loaded. */
export function applyTheme(look: string): Promise<void> {
  const path = scheme === undefined ? look : inScheme(look, scheme);
  const link = document.getElementById("theme");
  if (!(link instanceof HTMLLinkElement) || link.getAttribute("href") === path) return Promise.resolve();
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve(), { once: true });
    link.addEventListener("error", () => resolve(), { once: true });
    link.href = path;
  });
}
