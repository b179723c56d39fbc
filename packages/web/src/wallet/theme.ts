/** Puts a brand's style sheet in the place of the one that the page came with; resolves when it is there. */
export function wearTheme(path: string): Promise<void> {
  const link = document.getElementById("theme");
  if (!(link instanceof HTMLLinkElement) || link.getAttribute("href") === path) return Promise.resolve();
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve(), { once: true });
    link.addEventListener("error", () => resolve(), { once: true });
    link.href = path;
  });
}
