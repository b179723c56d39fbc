/** `countersign completion`: a script that completes commands and options with the Tab key. */
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { command, exits, oneOf, pathOf } from "./arguments.ts";
import { terminal } from "./output.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completion = command(
  "completion",
  "bash >> ~/.bashrc",
  "zsh >> ~/.zshrc",
  "fish > ~/.config/fish/completions/countersign.fish",
)
  .description("print a script that completes commands and options in your shell")
  .argument("<shell>", shells.join(", "), oneOf(shells))
  .action(
    exits(async (shell) => {
      terminal.out(completionFor(shell, rootOf(completion)));
      return 0;
    }),
  );

function rootOf(one: CommandUnknownOpts): CommandUnknownOpts {
  return one.parent === null ? one : rootOf(one.parent);
}

type Node = { path: string; words: { word: string; says: string }[] };

/** The possible next words of each command: its subcommands and options. */
function nodesOf(one: CommandUnknownOpts): Node[] {
  const words = [
    ...one.commands.map((child) => ({ word: child.name(), says: child.description() })),
    ...one.options.map(({ long, description }) => ({ word: long ?? "", says: description })),
    { word: "--help", says: "show the help" },
  ];
  return [{ path: pathOf(one), words }, ...one.commands.flatMap(nodesOf)];
}

export function completionFor(name: (typeof shells)[number], root: CommandUnknownOpts): string {
  const nodes = nodesOf(root);
  if (name === "fish") return fish(nodes, root);
  return bash(nodes, root, name === "zsh" ? zshStart : "");
}

/** Makes zsh run the bash completions that follow. */
const zshStart = "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n";

function bash(nodes: readonly Node[], root: CommandUnknownOpts, start: string): string {
  const cases = nodes.map(
    ({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(" ")}" ;;\n`,
  );
  const groups = nodes.map(({ path }) => `"${path}"`).join("|");
  return `${start}_${root.name()}() {
  local given="${root.name()}" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$given $word" in ${groups}) given="$given $word" ;; esac
  done
  case "$given" in
${cases.join("")}  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${root.name()} ${root.name()}
`;
}

function fish(nodes: readonly Node[], root: CommandUnknownOpts): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const lines = nodes.flatMap(({ path, words }) => {
    const given = path.split(" ").slice(1);
    const deeper = nodes.filter((one) => one.path.startsWith(`${path} `)).map((one) => one.path.split(" ").at(-1));
    const after = given.map((word) => `__fish_seen_subcommand_from ${word}`);
    const before = deeper.length === 0 ? [] : [`not __fish_seen_subcommand_from ${[...new Set(deeper)].join(" ")}`];
    const condition = [...after, ...before].join("; and ");
    return words.map(({ word, says }) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c ${root.name()} -n ${quoted(condition)} ${what} -d ${quoted(says)}\n`;
    });
  });
  return lines.join("");
}
