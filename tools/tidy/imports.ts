import { posix } from "node:path";
import { lineAt, type Source, type Tree } from "./source.ts";

/** One import or re-export. */
export type Import = {
  specifier: string;
  line: number;
  /** A type-only import, which is erased before the program runs. */
  typeOnly: boolean;
};

const statement =
  /\b(?:import\s+(type\s+)?([^"'`;()=]*?)(?:\bfrom\s*)?|export\s+(type\s+)?([*{][^"'`;()=]*?)\bfrom\s*)(?=["'])|\bimport\s*\(\s*(?=["'])/g;
const cached = new WeakMap<Source, Import[]>();

/** The imports of a file, in their order. */
export function importsOf(source: Source): Import[] {
  const known = cached.get(source);
  if (known !== undefined) return known;
  const found = [...source.code.matchAll(statement)].map((match) => {
    const quote = match.index + match[0].length;
    const end = source.text.indexOf(source.text.charAt(quote), quote + 1);
    const names = (match[2] ?? match[4])?.trim() ?? "";
    return {
      specifier: source.text.slice(quote + 1, end),
      line: lineAt(source.text, match.index),
      typeOnly: (match[1] ?? match[3]) !== undefined || /^\{(?:\s*type\s[^,}]*,?)+\s*\}$/.test(names),
    };
  });
  cached.set(source, found);
  return found;
}

/** The project path of a specifier. Undefined for other packages and for Node's own modules. */
export function targetOf(from: string, specifier: string, tree: Tree): string | undefined {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  const [scope, name, ...rest] = specifier.split("/");
  const manifest = tree.get(`packages/${name}/package.json`);
  if (scope !== "@countersign" || manifest === undefined) return undefined;
  const { exports }: { exports?: Record<string, unknown> } = JSON.parse(manifest.text);
  const exported = exports?.[`./${rest.join("/")}`];
  return posix.join(`packages/${name}`, typeof exported === "string" ? exported : `src/${rest.join("/")}.ts`);
}
