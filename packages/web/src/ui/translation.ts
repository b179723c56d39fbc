/**
 * Keeps the screen true while the browser translates the page. A translator takes each text node out and puts a `font`
 * element in its place; Preact goes on writing into the node that nobody sees.
 */
import type { Options, VNode } from "preact";

/** The element that shows the translation of a text. */
const shownFor = new WeakMap<Node, Element>();

/** Follows the translator in a part of the page, and marks a page that it has translated. `options`: Preact's. */
export function followTranslation(root: Element, options: Options): void {
  const changes = new MutationObserver((records) => {
    for (const { target } of records) showAgain(target);
  });
  new MutationObserver((records) => {
    for (const record of records)
      for (const text of record.removedNodes) {
        const font = text.nodeType === Node.TEXT_NODE && !text.isConnected ? translationAt(record) : undefined;
        if (font === undefined) continue;
        document.documentElement.dataset.translated = "";
        shownFor.set(text, font);
        changes.observe(text, { characterData: true });
      }
  }).observe(root, { childList: true, subtree: true });
  const { unmount } = options;
  options.unmount = (node) => {
    const text = domOf(node);
    if (text !== null) shownFor.get(text)?.remove();
    unmount?.(node);
  };
}

/** Puts a text that has changed back in its place. The translator sees it there and translates it again. */
function showAgain(text: Node): void {
  const font = shownFor.get(text);
  shownFor.delete(text);
  if (font?.isConnected === true) font.replaceWith(text);
}

/** The translated text. A translator either replaces the original text with it, or adds it beside the original. */
function translationAt({ addedNodes, previousSibling, nextSibling }: MutationRecord): Element | undefined {
  return [...addedNodes, previousSibling, nextSibling].find(
    (one): one is Element => one instanceof Element && one.localName === "font" && one.isConnected,
  );
}

/** The DOM node of a text in Preact's tree. Null for elements and components. */
function domOf(node: VNode): Node | null {
  // Preact's type of a node leaves out what it keeps there; the package's builds agree on the name.
  const dom: unknown =
    typeof node.type === "string" || typeof node.type === "function" ? null : Reflect.get(node, "__e");
  return dom instanceof Text ? dom : null;
}
