import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { exampleLinesOf, optionDescription, pathOf } from "../packages/service/src/commands/arguments.ts";
import { countersign, exitCodes } from "../packages/service/src/commands/commands.ts";
import { version } from "../packages/service/src/config/version.ts";

const head = `---
title: Command line
order: 9
---

<!-- Generated from the commands by \`npm run generate\`. -->

# Command line

This page lists every command of \`countersign\`, with an example of each.

**Install it.** Run \`npm install --global .\` in the repository. This puts \`countersign\` on your \`PATH\`. Without it, type the path of the
program instead: \`packages/service/bin/countersign.mjs\`. In the image, it is the entry point. Without
the repository, install the package that \`npm run pack\` writes: \`npm install --global ./countersign-${version}.tgz\`, or run a command with
\`npx --yes ./countersign-${version}.tgz\`. The package is not in the npm registry yet. Never run it there by its
name alone, because someone else could own that name.

**Where to run it.** Run it in the service's folder, or set the service's \`DATA_DIR\` or \`DATABASE_URL\`.

**Which brand.** \`listen\`, \`trigger\` and \`events\` call the sandbox's API with a key: the first demo brand's, or that of \`--key\`. They use
that key's brand unless you name another one. All other commands about a brand read the database and need \`--brand\`. \`countersign brands
list\` shows the UUIDs.

**Its output.** On a terminal, results are tables. With \`--json\`, or if the output is a pipe or a file, they are JSON. Messages about
problems go to the standard error.

**The Tab key.** \`countersign completion bash\`, \`zsh\` or \`fish\` prints a script that completes commands.

| Exit code | Means |
|---|---|
`;

const next = `
## What to do next

- [Settings](settings.md): the variables that \`countersign start\` reads.
- [Install](../operate/install.md): how to run the service on a server.
`;

/** Generates the reference of all commands. */
export function commandLineMarkdown(): string {
  const codes = Object.entries(exitCodes).map(([code, means]) => `| ${code} | ${means} |\n`);
  return `${head}${codes.join("")}${countersign.commands.map(sectionOf).join("")}${next}`;
}

function sectionOf(noun: CommandUnknownOpts): string {
  const verbs = noun.commands.length === 0 ? [noun] : noun.commands;
  return `\n## ${noun.name()}\n\n${sentence(noun.description())}\n${verbs.map((verb) => partOf(verb, noun)).join("")}`;
}

function partOf(one: CommandUnknownOpts, noun: CommandUnknownOpts): string {
  const title =
    one === noun ? "" : `\n### ${pathOf(one).replace("countersign ", "")}\n\n${sentence(one.description())}\n`;
  const rows = [
    ...one.registeredArguments.map((given) => [`<${given.name()}>`, given.description]),
    ...one.options.map((option) => [option.flags, optionDescription(option)]),
  ];
  const table = rows.map(([name = "", says = ""]) => `| \`${name}\` | ${says.replaceAll("|", "\\|")} |\n`).join("");
  const examples = exampleLinesOf(one).join("\n");
  return `${title}${table === "" ? "" : `\n| Given | Is |\n|---|---|\n${table}`}\n\`\`\`console\n${examples}\n\`\`\`\n`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
