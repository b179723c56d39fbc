/** The first letter of a brand's name. Screens draw it if the brand has no logo. */
export function firstLetter(name: string): string {
  const [letter = ""] = name.replace(/[^\p{L}\p{N}]/gu, "");
  return letter.toUpperCase();
}
