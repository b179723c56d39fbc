/** Control, formatting, private-use and zero-width characters, and line ends. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const visible = new RegExp(hidden.source.replace("[", "[^\\s"), "u");
const allHidden = new RegExp(hidden.source, "gu");

export function hasHidden(text: string): boolean {
  return hidden.test(text);
}

/** Whether people can see any character of a text. Stops at the first one, because a text may be a large picture. */
export function hasVisible(text: string): boolean {
  return visible.test(text);
}

/** A typed text in one line, without hidden characters, which people paste without noticing. */
export function visibleText(text: string): string {
  return text.replace(/\s+/g, " ").replace(allHidden, "").trim();
}
