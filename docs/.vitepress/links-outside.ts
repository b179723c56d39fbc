import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/**
 * Shows links to files of the repository that are not pages, such as `../deploy/compose.yaml`, as plain text. Pages that
 * include a file of the root have links that start with `docs/`.
 */
export function linksOutside(md: MarkdownRenderer): void {
  md.core.ruler.push("links-outside", (state) => {
    for (const { children } of state.tokens) {
      let isOutside = false;
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const href = (token.attrGet("href") ?? "").replace(/^docs\//, "/");
          isOutside = leaves(href, state.env.relativePath ?? "");
          token.attrSet("href", href);
        }
        if (!isOutside || (token.type !== "link_open" && token.type !== "link_close")) continue;
        token.tag = "span";
        token.attrs = null;
        token.type = token.type === "link_open" ? "span_open" : "span_close";
        if (token.type === "span_close") isOutside = false;
      }
    }
  });
}

/** Whether a link is to a file outside the site, or to a folder or another kind of file inside it. */
function leaves(href: string, from: string): boolean {
  if (/^([a-z]+:|#)/i.test(href)) return false;
  const [path = ""] = href.split("#");
  const target = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), path);
  return (
    target.startsWith("..") ||
    /^[A-Z]+\.md$/.test(posix.basename(target)) ||
    /\.(sql|json|ts|tsx|yaml|yml|ini|env)$/.test(target) ||
    target === "decisions"
  );
}
