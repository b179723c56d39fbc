import { type Finding, isProduct, type Rule } from "./rule.ts";
import { lineAt, type Source } from "./source.ts";

const opening = /\binTransaction\(/g;

/**
 * Finds uses of the outer handle in a transaction. It uses another connection, which does not see the transaction's
 * writes.
 */
function findOuterHandle({ code, text }: Source): Finding[] {
  return [...code.matchAll(opening)].flatMap((match) => {
    const from = match.index + match[0].length;
    const body = code.slice(from, closingParenthesis(code, from));
    return [...body.matchAll(/(?:\b\w+\.)?\bdb\b(?!\s*:)/g)].map((handle) => ({
      line: lineAt(text, from + handle.index),
      message: `${handle[0]} inside a transaction: use the transaction's own handle (trx)`,
    }));
  });
}

function closingParenthesis(code: string, from: number): number {
  let depth = 1;
  for (let at = from; at < code.length; at += 1) {
    const one = code.charAt(at);
    if (one === "(") depth += 1;
    if (one === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

const path = "packages/service/src/domain/signup/store.ts";

export const transactions: Rule = {
  name: "inside a transaction only trx",
  applies: isProduct,
  find: findOuterHandle,
  offending: { [path]: "await deps.db.inTransaction(async (trx) => {\n  await find(deps.db);\n});" },
  clean: {
    [path]: "await deps.db.inTransaction(async (trx) => {\n  await find(trx);\n});\nawait find(deps.db);",
  },
};
