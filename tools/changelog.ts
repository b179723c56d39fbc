/** Reads and extends `CHANGELOG.md`. Its releases are the sections whose headings are `1.2.3 (2027-01-31)`. */

/**
 * The changelog with a new release at the top of the releases. Changesets wrote what the release changes, newest
 * first, into a changelog of the service alone.
 */
export function withSection(changelog: string, written: string, date: string): string {
  const [, version = "", text = ""] = /^## (\d+\.\d+\.\d+)\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(written) ?? [];
  const at = changelog.search(/^## \d+\.\d+\.\d+ /m);
  if (version === "" || at === -1) throw new Error("a changelog has no release");
  return `${changelog.slice(0, at)}## ${version} (${date})\n\n${text.trim()}\n\n${changelog.slice(at)}`;
}

/** What the changelog says about a release, which is the text of its page on GitHub. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).map((one) => one.split("\n"));
  const found = sections.find(([heading = ""]) => heading.startsWith(`${version} (`));
  if (found === undefined) throw new Error(`the changelog has no release ${version}`);
  return `${found.slice(1).join("\n").trim()}\n`;
}
