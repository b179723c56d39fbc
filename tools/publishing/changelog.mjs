/** Writes the changelogs: each change as its changeset says it. Commits and private packages mean nothing to readers. */
export function getReleaseLine({ summary }) {
  const [first, ...others] = summary.split("\n").map((line) => line.trimEnd());
  return [`- ${first}`, ...others.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

export function getDependencyReleaseLine() {
  return "";
}
