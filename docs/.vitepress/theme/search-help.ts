/** Adds to the search what its box lacks: what a result's page is about, and pages to go to while there is no result. */
import { useData, withBase } from "vitepress";
import { onBeforeUnmount, onMounted } from "vue";
import { places } from "./not-found.ts";

export function helpSearch(): void {
  const { theme } = useData();
  let inside: MutationObserver | undefined;
  const help = (box: HTMLElement) => {
    const about: Record<string, string> = theme.value.about;
    for (const result of box.querySelectorAll<HTMLAnchorElement>("a.result")) {
      const page = new URL(result.href).pathname.replace(/\.html$/, "").slice(withBase("/").length - 1);
      const text = about[page] ?? "";
      if (result.dataset.about !== text) result.dataset.about = text;
    }
    const links = box.querySelector<HTMLElement>(".search-places") ?? addPlaces(box);
    links.hidden = box.querySelector("a.result") !== null;
  };
  // The box is a child of the body while it is open.
  const look = () => {
    inside?.disconnect();
    const box = document.querySelector<HTMLElement>("body > .VPLocalSearchBox");
    if (box === null) return;
    inside = new MutationObserver(() => help(box));
    inside.observe(box, { childList: true, subtree: true, attributeFilter: ["href"] });
    help(box);
  };
  const outside = typeof MutationObserver === "undefined" ? undefined : new MutationObserver(look);
  onMounted(() => outside?.observe(document.body, { childList: true }));
  onBeforeUnmount(() => {
    outside?.disconnect();
    inside?.disconnect();
  });
}

function addPlaces(box: HTMLElement): HTMLElement {
  const list = document.createElement("ul");
  list.className = "search-places";
  for (const { path, name, about } of places) {
    const link = document.createElement("a");
    link.href = withBase(path);
    link.textContent = name;
    link.addEventListener("click", () => box.querySelector<HTMLElement>(".backdrop")?.click());
    const item = document.createElement("li");
    item.append(link, ` ${about}`);
    list.append(item);
  }
  box.querySelector(".shell")?.append(list);
  return list;
}
