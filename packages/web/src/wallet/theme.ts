import { inScheme, type Scheme } from "@countersign/contract/theme";

let scheme: Scheme | undefined;

/** Uses the light or the dark version of every theme from now on, to match the brand's page around the frame. */
export function keepTo(wanted: Scheme): void {
  scheme = wanted;
}

/** Replaces the page's style sheet with the brand's. Resolves when it is loaded. */
export function wearTheme(look: string): Promise<void> {
  const path = scheme === undefined ? look : inScheme(look, scheme);
  const link = document.getElementById("theme");
  if (!(link instanceof HTMLLinkElement) || link.getAttribute("href") === path) return Promise.resolve();
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve(), { once: true });
    link.addEventListener("error", () => resolve(), { once: true });
    link.href = path;
  });
}
