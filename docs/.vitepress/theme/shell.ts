/**
 * The part of a shell that the documents' blocks use: variables, `curl`, and `echo` with `sed`. A block that uses more
 * throws, so that its page offers no button for it.
 */

/** A request as `curl` would send it. */
export type Call = { method: string; url: string; headers: Record<string, string>; body?: string };
/** Sends a call and returns the text of its answer. */
export type Send = (call: Call) => Promise<string>;
export type Variables = Map<string, string>;

/** A part of a word: literal text, the value of a variable, or the output of commands. */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "variable"; name: string }
  | { kind: "commands"; commands: Command[] };
export type Word = Piece[];
/** One command: assignments, or a pipeline of words. `isSilent`: its output goes to `/dev/null`. */
export type Command = { assigned: { name: string; value: Word }[]; pipeline: Word[][]; isSilent: boolean };

/** What this shell cannot run. */
export class Unsupported extends Error {}

const escapable = new Set(['"', "\\", "$", "`", "\n"]);

/** Reads a block. Throws `Unsupported` for anything but the commands above. */
export function readBlock(source: string): Command[] {
  return new Reader(source).commands(false);
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads commands to the end, or to the `)` of a substitution. */
  commands(isNested: boolean): Command[] {
    const all: Command[] = [];
    for (;;) {
      this.#skip(/[\s;]+/y);
      if (this.#at >= this.#source.length) {
        if (isNested) throw new Unsupported("a substitution has no end");
        return all;
      }
      if (isNested && this.#take(")")) return all;
      all.push(this.#command());
    }
  }

  #command(): Command {
    const command: Command = { assigned: [], pipeline: [[]], isSilent: false };
    for (;;) {
      this.#skip(/(?:[ \t]|\\\n)+/y);
      const next = this.#source[this.#at];
      if (next === undefined || next === "\n" || next === ";" || next === ")") break;
      if (next === "#") throw new Unsupported("a comment");
      if (this.#take("|")) command.pipeline.push([]);
      else if (this.#take("> /dev/null")) command.isSilent = true;
      else if (/[<>&`(){}*?[\]~!]/.test(next)) throw new Unsupported(next);
      else this.#add(command);
    }
    return command;
  }

  #add(command: Command): void {
    const words = command.pipeline.at(-1) ?? [];
    const name = words.length > 0 ? undefined : this.#skip(/[A-Za-z_]\w*=/y);
    if (name === undefined) words.push(this.#word());
    else command.assigned.push({ name: name.slice(0, -1), value: this.#word() });
  }

  #word(): Word {
    const word: Word = [];
    for (;;) {
      const next = this.#source[this.#at];
      if (next === undefined || /[\s;|)<>&]/.test(next)) return word;
      if (this.#take("'")) word.push({ kind: "text", text: this.#upTo("'") });
      else if (this.#take('"')) this.#quoted(word);
      else if (this.#dollar(word)) continue;
      else if (next === "\\" || next === "`") throw new Unsupported(next);
      else word.push({ kind: "text", text: this.#skip(/[^\s;|)<>&'"$\\`]+/y) ?? "" });
    }
  }

  #quoted(word: Word): void {
    while (!this.#take('"')) {
      const next = this.#source[this.#at];
      if (next === undefined) throw new Unsupported("a quote has no end");
      if (this.#dollar(word)) continue;
      if (next === "`") throw new Unsupported(next);
      if (next === "\\" && escapable.has(this.#source[this.#at + 1] ?? "")) {
        word.push({ kind: "text", text: this.#source[this.#at + 1] ?? "" });
        this.#at += 2;
      } else word.push({ kind: "text", text: this.#skip(/(?:[^"$\\`]|\\(?!["\\$`\n]))+/y) ?? "" });
    }
  }

  #dollar(word: Word): boolean {
    if (this.#take("$(")) {
      word.push({ kind: "commands", commands: this.commands(true) });
      return true;
    }
    const name = this.#skip(/\$[A-Za-z_]\w*/y);
    if (name !== undefined) word.push({ kind: "variable", name: name.slice(1) });
    else if (this.#source[this.#at] === "$") throw new Unsupported("$");
    return name !== undefined;
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #upTo(end: string): string {
    const at = this.#source.indexOf(end, this.#at);
    if (at < 0) throw new Unsupported("a quote has no end");
    const text = this.#source.slice(this.#at, at);
    this.#at = at + end.length;
    return text;
  }

  /** Skips what a sticky expression matches, and returns it. */
  #skip(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const [found] = expression.exec(this.#source) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** The variables that a block sets, and those that it reads before it sets them. */
export function variablesOf(commands: readonly Command[]): { set: Set<string>; read: Set<string> } {
  const set = new Set<string>();
  const read = new Set<string>();
  const look = (word: Word) => {
    for (const piece of word) {
      if (piece.kind === "variable" && !set.has(piece.name)) read.add(piece.name);
      if (piece.kind === "commands")
        for (const one of piece.commands) for (const part of one.pipeline.flat()) look(part);
    }
  };
  for (const { assigned, pipeline } of commands) {
    for (const { name, value } of assigned) {
      look(value);
      set.add(name);
    }
    for (const word of pipeline.flat()) look(word);
  }
  return { set, read };
}

/** Runs a block. Returns what it prints. The variables stay for the next block. */
export async function runBlock(commands: readonly Command[], variables: Variables, send: Send): Promise<string> {
  let printed = "";
  for (const { assigned, pipeline, isSilent } of commands) {
    for (const { name, value } of assigned) variables.set(name, await textOf(value, variables, send));
    let text = "";
    for (const words of pipeline) {
      if (words.length === 0) continue;
      const [program = "", ...given] = await Promise.all(words.map((word) => textOf(word, variables, send)));
      text = await runProgram(program, given, { input: text, send });
    }
    if (!isSilent) printed += text;
  }
  return printed;
}

async function textOf(word: Word, variables: Variables, send: Send): Promise<string> {
  let value = "";
  for (const piece of word) {
    if (piece.kind === "text") value += piece.text;
    else if (piece.kind === "variable") value += variables.get(piece.name) ?? "";
    else value += (await runBlock(piece.commands, variables, send)).replace(/\n+$/, "");
  }
  return value;
}

async function runProgram(
  program: string,
  given: readonly string[],
  { input, send }: { input: string; send: Send },
): Promise<string> {
  if (program === "echo") return `${given.join(" ")}\n`;
  if (program === "sed") return edited(given, input);
  if (program === "curl") return await send(callOf(given));
  throw new Unsupported(program);
}

/** `s/expression/\1/` of `sed`, whose groups are `\(` and `\)`. */
function edited([script = "", ...more]: readonly string[], input: string): string {
  const [, expression] = /^s\/(.*)\/\\1\/$/s.exec(script) ?? [];
  if (expression === undefined || more.length > 0) throw new Unsupported("sed");
  const swapped = expression.replace(/\\?[()]/g, (sign) => (sign.length === 2 ? sign.slice(1) : `\\${sign}`));
  return input.replace(new RegExp(swapped), "$1");
}

/** The request of a `curl` command. */
export function callOf(given: readonly string[]): Call {
  const headers: Record<string, string> = {};
  const rest = [...given];
  let method: string | undefined;
  let url: string | undefined;
  let body: string | undefined;
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next === "-s") continue;
    if (next === "-X") method = rest.shift();
    else if (next === "-d") body = rest.shift();
    else if (next === "-H") {
      const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/s.exec(rest.shift() ?? "") ?? [];
      headers[name.toLowerCase()] = value;
    } else if (next.startsWith("-") || url !== undefined) throw new Unsupported(`curl ${next}`);
    else url = next;
  }
  if (url === undefined) throw new Unsupported("curl without an address");
  const address = /^https?:\/\//.test(url) ? url : `http://${url}`;
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    url: address,
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

const demoKey = /^(?:Bearer )?sk_sandbox_demo_\w+$/;

/**
 * Which blocks of a page a reader can run: those whose calls go to this service's API with the key of a demo brand.
 * Null for the others.
 */
export async function runnableBlocks(
  sources: readonly string[],
  isApi: (url: string) => boolean,
): Promise<({ commands: Command[]; hasCalls: boolean } | null)[]> {
  const variables: Variables = new Map();
  const found: ({ commands: Command[]; hasCalls: boolean } | null)[] = [];
  for (const source of sources) {
    const calls: Call[] = [];
    try {
      const commands = readBlock(source);
      await runBlock(commands, variables, async (call) => {
        calls.push(call);
        return "";
      });
      const mayRun = calls.every(({ url, headers }) => isApi(url) && mayCall(headers.authorization));
      found.push(mayRun ? { commands, hasCalls: calls.length > 0 } : null);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      found.push(null);
    }
  }
  return found;
}

/** The control calls of the sandbox need no key on the reader's own machine. */
function mayCall(authorization: string | undefined): boolean {
  return authorization === undefined || demoKey.test(authorization);
}
