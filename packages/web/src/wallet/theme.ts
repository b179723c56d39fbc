import { inScheme, type Scheme } from "@countersign/contract/theme";

let scheme: Scheme | undefined;

/** From now on every theme is worn light, or dark, as the page around a frame is. */
export function keepTo(wanted: Scheme): void {
  scheme = wanted;
}

/** Puts a brand's style sheet in the place of the one that the page came with; resolves when it is there. */
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
