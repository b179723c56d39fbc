import { renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";
import { readSequence } from "./sequence.ts";

/**
 * Draws Mermaid blocks when the site is built: a sequence as steps that a reader can walk, any other as a picture. Their
 * colors follow the page's, light or dark.
 */
export function diagrams(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const token = tokens[at];
    if (token?.info.trim() !== "mermaid") return fence?.(tokens, at, options, env, self) ?? "";
    if (token.content.startsWith("sequenceDiagram"))
      return `<FlowWalk sequence="${md.utils.escapeHtml(JSON.stringify(readSequence(token.content)))}" />`;
    const label = `Diagram: ${md.utils.escapeHtml(token.content.trim().split("\n").slice(1).join("; ").replace(/\s+/g, " "))}`;
    // As a string: Vue's template compiler drops the drawing's own style, and with it the last shape in the browser.
    const drawing = md.utils.escapeHtml(JSON.stringify(drawn(token.content)));
    return `<figure class="diagram" role="img" aria-label="${label}" v-html="${drawing}"></figure>`;
  };
}

function drawn(source: string): string {
  // Without `muted` and `line`, labels and arrows are too pale to read.
  const pale = { muted: "var(--vp-c-text-2)", line: "var(--vp-c-text-3)" };
  const main = { bg: "var(--vp-c-bg)", fg: "var(--vp-c-text-1)", accent: "var(--vp-c-brand-1)", font: "inherit" };
  const colors = { ...main, ...pale };
  // The drawing asks a font service for its font; the page's own font is enough.
  return renderMermaidSVG(source, { ...colors, transparent: true }).replace(/@import url\([^)]*\);?/g, "");
}
