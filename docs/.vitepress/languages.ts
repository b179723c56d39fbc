/** The calls of the documents' shell blocks in other languages. A block that uses more than calls stays as it is. */
import { type Command, type Piece, readBlock, Unsupported, type Word } from "./theme/shell.ts";

export type Language = "js" | "python";
/** What earlier blocks of a page have set: text, or the name of a variable. */
type Known = Map<string, Piece[]>;
type Call = { method: string; url: Piece[]; headers: [name: string, value: Piece[]][]; body: unknown };

/** The placeholder of a variable while a body is read. */
const mark = (name: string) => `\ue000${name}\ue000`;
const marked = /\ue000(\w+)\ue000/;

/** Translates the blocks of a page, in order. Null for a block without calls, or with more than calls. */
export function translated(sources: readonly string[], language: Language): (string | null)[] {
  const known: Known = new Map();
  return sources.map((source) => {
    const own: Known = new Map(known);
    try {
      const lines = readBlock(source).flatMap((command) => translate(command, own, language));
      for (const [name, value] of own) known.set(name, value);
      if (lines.length === 0) return null;
      const imports = lines.some((line) => line.includes("requests.")) ? ["import requests", ""] : [];
      return `${[...imports, ...lines].join("\n")}\n`;
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      // What the block sets is not known in the other languages.
      for (const [, name = ""] of source.matchAll(/^(\w+)=/gm)) known.delete(name);
      return null;
    }
  });
}

function translate({ assigned, pipeline, isSilent }: Command, known: Known, language: Language): string[] {
  const write = writers[language];
  const lines = assigned.flatMap(({ name, value }) => {
    const [only, ...rest] = value;
    if (only?.kind !== "commands") {
      known.set(name, expanded(value, known));
      return [];
    }
    const [command, ...more] = only.commands;
    if (rest.length > 0 || more.length > 0 || command === undefined) throw new Unsupported("several commands");
    known.set(name, [{ kind: "variable", name }]);
    const member = memberOf(command.pipeline);
    if (member !== null) return [write.member(name, member)];
    return [write.set(name, callOf(command.pipeline, known))];
  });
  const words = pipeline[0] ?? [];
  if (words.length === 0) return lines;
  const shown = printed(pipeline);
  if (shown !== null) return shown === "" ? lines : [...lines, write.print(shown)];
  const call = callOf(pipeline, known);
  return [...lines, isSilent ? write.send(call) : write.show(call)];
}

const literal = (word: Word | undefined) => (word?.every(({ kind }) => kind === "text") ? textOf(word) : undefined);
const textOf = (pieces: readonly Piece[]) => pieces.map((one) => (one.kind === "text" ? one.text : "")).join("");

/** `echo "$answer"`: the variable, or nothing. Null for another command. */
function printed([words = [], ...more]: readonly Word[][]): string | null {
  if (literal(words[0]) !== "echo" || more.length > 0) return null;
  const [piece] = words[1] ?? [];
  return piece?.kind === "variable" ? piece.name : "";
}

/** The variable and the member of `echo "$answer" | sed 's/.*"uuid":"\([^"]*\)".*\/\1/'`. */
function memberOf([echo = [], sed = [], ...more]: readonly Word[][]): { of: string; member: string } | null {
  const [piece] = echo[1] ?? [];
  const [, member] = /^s\/\.\*"(\w+)":"\\\(\[\^"\]\*\\\)"\.\*\/\\1\/$/.exec(literal(sed[1]) ?? "") ?? [];
  if (literal(echo[0]) !== "echo" || piece?.kind !== "variable" || member === undefined || more.length > 0) return null;
  return { of: piece.name, member };
}

/** The pieces of a word, with what earlier commands have set. */
function expanded(word: Word, known: Known): Piece[] {
  return word.flatMap((piece) => {
    if (piece.kind === "commands") throw new Unsupported("a command in a text");
    if (piece.kind === "text") return [piece];
    const value = known.get(piece.name);
    if (value === undefined) throw new Unsupported(`$${piece.name}`);
    return value;
  });
}

function callOf([words = [], ...more]: readonly Word[][], known: Known): Call {
  const [program, ...given] = words;
  if (literal(program) !== "curl" || more.length > 0) throw new Unsupported("not a call");
  const headers: Call["headers"] = [];
  let method: string | undefined;
  let url: Piece[] | undefined;
  let body: unknown;
  for (let word = given.shift(); word !== undefined; word = given.shift()) {
    const option = literal(word);
    if (option === "-s") continue;
    if (option === "-X") method = literal(given.shift());
    else if (option === "-H") headers.push(headerOf(expanded(given.shift() ?? [], known)));
    else if (option === "-d") body = bodyOf(expanded(given.shift() ?? [], known));
    else if (option?.startsWith("-") === true || url !== undefined) throw new Unsupported("another option");
    else url = expanded(word, known);
  }
  if (url === undefined) throw new Unsupported("no address");
  const isWhole = /^https?:/.test(textOf(url));
  return {
    method: method ?? (body === undefined ? "GET" : "POST"),
    url: isWhole ? url : [{ kind: "text", text: "http://" }, ...url],
    headers: headers.filter(([name]) => name !== "Content-Type"),
    body,
  };
}

function headerOf([first, ...rest]: Piece[]): [string, Piece[]] {
  const [, name, value = ""] = /^([\w-]+): ?(.*)$/.exec(first?.kind === "text" ? first.text : "") ?? [];
  if (name === undefined) throw new Unsupported("a header");
  return [name, [...(value === "" ? [] : [{ kind: "text" as const, text: value }]), ...rest]];
}

function bodyOf(pieces: readonly Piece[]): unknown {
  const text = pieces.map((one) => (one.kind === "text" ? one.text : one.kind === "variable" ? mark(one.name) : ""));
  try {
    return JSON.parse(text.join(""));
  } catch {
    throw new Unsupported("a body that is not JSON");
  }
}

const indent = "  ";
/** A longer line would need a scroll bar. */
const widthMax = 68;

/** A value as a literal of JavaScript or Python, with its variables. */
function literalOf(value: unknown, language: Language, margin = ""): string {
  if (typeof value === "string") return stringOf(value, language);
  if (value === null) return language === "js" ? "null" : "None";
  if (typeof value === "boolean" && language === "python") return value ? "True" : "False";
  if (typeof value !== "object") return String(value);
  const isList = Array.isArray(value);
  const inner = Object.entries(value).map(([key, one]) => {
    const text = literalOf(one, language, margin + indent);
    return isList ? text : `${language === "js" && /^[a-z]\w*$/i.test(key) ? key : JSON.stringify(key)}: ${text}`;
  });
  const [open, close] = isList ? "[]" : "{}";
  const pad = isList || inner.length === 0 ? "" : " ";
  const short = `${open}${pad}${inner.join(", ")}${pad}${close}`;
  if (short.length + margin.length <= widthMax) return short;
  return `${open}\n${inner.map((one) => `${margin}${indent}${one},\n`).join("")}${margin}${close}`;
}

function stringOf(text: string, language: Language): string {
  const parts = text.split(marked);
  if (parts.length === 1) return JSON.stringify(text);
  if (parts.length === 3 && parts[0] === "" && parts[2] === "") return parts[1] ?? "";
  const joined = parts
    .map((part, at) => (at % 2 === 0 ? part : language === "js" ? `\${${part}}` : `{${part}}`))
    .join("");
  return language === "js" ? `\`${joined}\`` : `f"${joined}"`;
}

const stringOfPieces = (pieces: readonly Piece[], language: Language) =>
  stringOf(
    pieces.map((one) => (one.kind === "text" ? one.text : mark("name" in one ? one.name : ""))).join(""),
    language,
  );

function fetched({ method, url, headers, body }: Call): string {
  const options = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...headersOf(headers, body, "js"),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literalOf(body, "js", indent)})`]),
  ];
  const address = stringOfPieces(url, "js");
  if (options.length === 0) return `fetch(${address})`;
  return `fetch(${address}, {\n${options.map((one) => `${indent}${one},\n`).join("")}})`;
}

function requested({ method, url, headers, body }: Call): string {
  const options = [
    stringOfPieces(url, "python"),
    ...headersOf(headers, undefined, "python"),
    ...(body === undefined ? [] : [`json=${literalOf(body, "python", indent)}`]),
  ];
  return `requests.${method.toLowerCase()}(\n${options.map((one) => `${indent}${one},\n`).join("")})`;
}

function headersOf(headers: Call["headers"], body: unknown, language: Language): string[] {
  const all = headers.map(([name, value]) => {
    const key = language === "js" && /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `${key}: ${stringOfPieces(value, language)}`;
  });
  if (body !== undefined) all.push('"Content-Type": "application/json"');
  if (all.length === 0) return [];
  const name = language === "js" ? "headers: " : "headers=";
  const short = `${name}{ ${all.join(", ")} }`;
  if (short.length <= widthMax) return [short];
  return [`${name}{\n${all.map((one) => `${indent}${indent}${one},\n`).join("")}${indent}}`];
}

/** How each language sends a call and uses its answer. */
const writers = {
  js: {
    set: (name: string, call: Call) => `const ${name} = await ${fetched(call)}.then((response) => response.json());`,
    member: (name: string, { of, member }: { of: string; member: string }) => `const ${name} = ${of}.${member};`,
    print: (name: string) => `console.log(${name});`,
    show: (call: Call) => `console.log(await ${fetched(call)}.then((response) => response.json()));`,
    send: (call: Call) => `await ${fetched(call)};`,
  },
  python: {
    set: (name: string, call: Call) => `${name} = ${requested(call)}.json()`,
    member: (name: string, { of, member }: { of: string; member: string }) => `${name} = ${of}["${member}"]`,
    print: (name: string) => `print(${name})`,
    show: (call: Call) => `print(${requested(call)}.json())`,
    send: (call: Call) => requested(call),
  },
} as const;
