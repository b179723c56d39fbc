import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { exampleLinesOf, pathOf } from "../packages/service/src/commands/arguments.ts";
import { countersign, exitCodes } from "../packages/service/src/commands/commands.ts";

const head = `---
title: Command line
order: 9
---

# Command line

You learn every command of \`countersign\`, with an example of each. Generated from the commands themselves: \`npm run generate\` writes this page.

\`countersign\` is the program \`packages/service/bin/countersign.mjs\` of the checkout. It is not in the npm registry: never run it with a
bare \`npx\` outside the checkout, because someone else could own that name there. In the checkout, \`npm install --global .\` puts
\`countersign\` on your \`PATH\`. Without that, type the path of the file instead. The image has it as its entry point.

On a terminal, results are tables. With \`--json\`, and whenever the output is a pipe or a file, they are JSON. Messages about problems
go to the standard error. \`countersign completion bash\`, \`zsh\` or \`fish\` prints a script that completes commands with the Tab key.

| Exit code | Means |
|---|---|
`;

const next = `
## What to do next

- [Settings](settings.md): the variables that \`countersign start\` reads.
- [Install](../operate/install.md): how to run the service on a server.
`;

/** The reference of all commands. */
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
    ...one.options.map(({ flags, description, mandatory }) => [
      flags,
      `${description}${mandatory ? " (required)" : ""}`,
    ]),
  ];
  const table = rows.map(([name = "", says = ""]) => `| \`${name}\` | ${says.replaceAll("|", "\\|")} |\n`).join("");
  const examples = exampleLinesOf(one).join("\n");
  return `${title}${table === "" ? "" : `\n| Given | Is |\n|---|---|\n${table}`}\n\`\`\`console\n${examples}\n\`\`\`\n`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
