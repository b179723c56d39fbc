import type { MarkdownRenderer } from "vitepress";

/** The longest code that stays on one line, in characters. A date such as 1989-08-01 would break at its hyphens. */
const unbrokenMax = 12;

/** Names the column of each cell: on a phone, `style.css` shows the rows of a wide table as blocks. */
export function tables(md: MarkdownRenderer): void {
  md.core.ruler.push("tables", ({ tokens }) => {
    let heads: string[] = [];
    let column = 0;
    for (const [at, token] of tokens.entries()) {
      if (token.type === "table_open") heads = [];
      if (token.type === "tr_open") column = 0;
      if (token.type === "th_open") heads.push(tokens[at + 1]?.content.replaceAll("`", "") ?? "");
      if (token.type === "td_open") token.attrSet("data-column", heads[column++] ?? "");
      for (const child of token.children ?? [])
        if (child.type === "code_inline" && child.content.length <= unbrokenMax) child.attrJoin("class", "unbroken");
    }
  });
}
