import type { Rule } from "./rule.ts";
import { lineAt, type Tree } from "./source.ts";

/** The stylesheets that one page of the dashboard may have loaded. */
const isLoadedTogether = (path: string) =>
  /^packages\/web\/src\/(?:dashboard\/.+|ui\/(?:base|field|layout))\.css$/.test(path);
/** A rule for a class alone, outside media queries. */
const ownRule = /^\.([\w-]+) \{([^}]*)\}/gm;
/** Variables may be set in several files. */
const setsStyle = (body: string) =>
  body.split(";").some((line) => /^\s*[a-z]/.test(line.replace(/\/\*[\s\S]*?\*\//g, "")));

const classesOf = (text: string) =>
  [...text.matchAll(ownRule)].flatMap(({ 1: name = "", 2: body = "", index }) =>
    setsStyle(body) ? [{ name, index }] : [],
  );

function othersWith(name: string, path: string, tree: Tree): string | undefined {
  return [...tree.values()].find(
    (other) =>
      other.path !== path && isLoadedTogether(other.path) && classesOf(other.text).some((one) => one.name === name),
  )?.path;
}

/** Of two files that style a class, the one that happens to load last would change the other's pages. */
export const oneSheet: Rule = {
  name: "one stylesheet of the dashboard styles a class",
  applies: isLoadedTogether,
  find: ({ path, text }, tree) =>
    classesOf(text).flatMap(({ name, index }) => {
      const other = othersWith(name, path, tree);
      return other === undefined ? [] : [{ line: lineAt(text, index), message: `.${name}: ${other} styles it too` }];
    }),
  offending: {
    "packages/web/src/dashboard/overview/overview.css": ".bar {\n  height: 8rem;\n}\n",
    "packages/web/src/dashboard/reporting/reporting.css": ".bar {\n  height: 1rem;\n}\n",
  },
  clean: {
    "packages/web/src/dashboard/overview/overview.css":
      ".dash {\n  --tone: red;\n}\n.funnel .bar {\n  height: 8rem;\n}\n",
    "packages/web/src/dashboard/reporting/reporting.css": ".dash {\n  color: red;\n}\n.bar {\n  height: 1rem;\n}\n",
  },
};
