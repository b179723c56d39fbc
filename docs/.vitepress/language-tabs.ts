/** Shows the shell blocks of a page with calls as tabs of languages. */
import type { MarkdownRenderer } from "vitepress";
import { translated } from "./languages.ts";

const tabs = [
  ["curl", "sh"],
  ["Node", "js"],
  ["Python", "python"],
] as const;

/** Changes every shell block with calls, except in the index of the search. */
export function languageTabs(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, at, options, env, self) => {
    const drawn = (these: typeof tokens, place: number) => fence?.(these, place, options, env, self) ?? "";
    const token = tokens[at];
    if (token?.info.trim() !== "sh" || env.isIndex === true) return drawn(tokens, at);
    const shells = tokens.filter((one) => one.type === "fence" && one.info.trim() === "sh");
    const sources = shells.map(({ content }) => content);
    const place = shells.indexOf(token);
    const texts = { js: translated(sources, "js")[place], python: translated(sources, "python")[place] };
    if (typeof texts.js !== "string" || typeof texts.python !== "string") return drawn(tokens, at);
    const contents = { sh: token.content, js: texts.js, python: texts.python };
    const name = `languages-${at}`;
    const inputs = tabs.map(
      ([label], nth) =>
        `<input type="radio" name="${name}" id="${name}-${nth}"${nth === 0 ? " checked" : ""}><label for="${name}-${nth}" data-title="${label}">${label}</label>`,
    );
    const blocks = tabs.map(([, language], nth) => drawn([copyOf(token, language, contents[language], nth === 0)], 0));
    return `<div class="vp-code-group languages"><div class="tabs">${inputs.join("")}</div><div class="blocks">${blocks.join("")}</div></div>`;
  };
}

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

function copyOf(token: Token, language: string, content: string, isActive: boolean): Token {
  const copy: Token = Object.assign(Object.create(Object.getPrototypeOf(token)), token);
  copy.info = isActive ? `${language} active` : language;
  copy.content = content;
  return copy;
}
