import { type Finding, isProduct, type Rule } from "./rule.ts";
import { lineAt, type Source, type Tree } from "./source.ts";

const service = "packages/service/src/";
const oneTimeCode = `${service}domain/one-time-code.ts`;

/** Files that may build statements: keepers, the store, and one-time codes. */
const isKeeper = (path: string) => path.endsWith("-rows.ts");
const mayBuild = (path: string) => isKeeper(path) || path === oneTimeCode || path.startsWith(`${service}store/`);

/** Migrations write each table. */
const isMigration = (path: string) => /\/store\/migrations\/(?:ground\/|\d)/.test(path);

const building = /\b(?:selectFrom|insertInto|updateTable|deleteFrom)\(|from "kysely"/g;
const writes = [
  /\b(?:insertInto|updateTable|deleteFrom)\(\s*"(\w+)"/g,
  /\bdeleteInBatches\(\s*\w+(?:\.\w+)?,\s*"(\w+)"/g,
  /\binsertRows\(\s*\w+(?:\.\w+)?,\s*"(\w+)"/g,
  /\b(?:insert into|delete from|update) ([a-z]\w+)\s*(?:\(|set\b|where\b|\bas\b|$)/gm,
];

type Use = { table: string; at: number };

function usesIn(text: string, patterns: readonly RegExp[]): Use[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ table: match[1] ?? "", at: match.index })),
  );
}

function findOutside({ path, uncommented: text }: Source): Finding[] {
  if (mayBuild(path)) return [];
  return [...text.matchAll(building)].map((match) => ({
    line: lineAt(text, match.index),
    message: `${match[0]}: only keepers (<subject>-rows.ts) build statements; call the table's keeper`,
  }));
}

const tablesText = /^ {2}(\w+): \{/gm;
const columnsFile = `${service}store/statements/columns.generated.ts`;

/** Reports files that write a table of another keeper. The keeper of a table is the file with most writes to it. */
function findForeign(tree: Tree): { path: string; line: number; message: string }[] {
  const tables = new Set(usesIn(tree.get(columnsFile)?.uncommented ?? "", [tablesText]).map(({ table }) => table));
  const sources = [...tree.values()].filter(({ path }) => path.startsWith(service) && isProduct(path));
  const isTable = ({ table }: Use) => tables.has(table);
  const writers = new Map<string, Map<string, Use[]>>();
  for (const { path, uncommented: text } of sources) {
    if (path === oneTimeCode || isMigration(path)) continue;
    for (const use of usesIn(text, writes).filter(isTable)) {
      const files = writers.get(use.table) ?? new Map<string, Use[]>();
      writers.set(use.table, files.set(path, [...(files.get(path) ?? []), use]));
    }
  }
  const keeperOf = new Map(
    [...writers].map(([table, files]) => [
      table,
      [...files].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? "",
    ]),
  );
  return sources.flatMap(({ path, uncommented: text }) => {
    if (path === oneTimeCode || isMigration(path)) return [];
    return usesIn(text, writes)
      .filter(isTable)
      .flatMap(({ table, at }) => {
        const keeper = keeperOf.get(table);
        if (keeper === undefined || keeper === path) return [];
        return [{ path, line: lineAt(text, at), message: `writes the table ${table}, which ${keeper} keeps` }];
      });
  });
}

export const keeperRules: readonly Rule[] = [
  {
    name: "only keepers build statements",
    applies: (path) => path.startsWith(service) && isProduct(path),
    find: findOutside,
    offending: { [`${service}domain/signup/api/read.ts`]: 'await trx.selectFrom("one_click").execute();' },
    clean: {
      [`${service}domain/signup/one-click-rows.ts`]: 'await trx.selectFrom("one_click").execute();',
      [`${service}domain/signup/api/read.ts`]: "await findOneClick(trx, uuid);",
    },
  },
  {
    name: "a table has one keeper",
    applies: (path) => path === columnsFile,
    find: (_, tree) =>
      findForeign(tree).map(({ path, line, message }) => ({ line: 1, message: `${path}:${line} ${message}` })),
    offending: {
      [columnsFile]: "export const columnTypes = {\n  one_click: { uuid },\n};",
      [`${service}domain/signup/one-click-rows.ts`]: 'trx.insertInto("one_click");\ntrx.updateTable("one_click");',
      [`${service}domain/account/account-session-rows.ts`]: 'trx.deleteFrom("one_click");',
    },
    clean: {
      [columnsFile]: "export const columnTypes = {\n  one_click: { uuid },\n};",
      [`${service}domain/signup/one-click-rows.ts`]: 'trx.insertInto("one_click");\ntrx.updateTable("one_click");',
      [`${service}domain/reporting/log-rows.ts`]: 'db.selectFrom("one_click");',
    },
  },
];
