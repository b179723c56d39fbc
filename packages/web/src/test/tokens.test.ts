/** The shared look in `ui/tokens.css`. */
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { inScheme, themeSheet } from "@countersign/contract/theme";
import { defaultTheme } from "../../../service/src/http/wallet/html.ts";

const path = new URL("../ui/tokens.css", import.meta.url);
const tokens = readFileSync(path, "utf8");

test("without a theme's sheet, as in the documents, the tokens have the default theme's colors", () => {
  const bySheet = (scheme: "light" | "dark") =>
    [
      ...(themeSheet(inScheme(defaultTheme, scheme).slice("/theme/".length)) ?? "").matchAll(/--([a-z-]+):(#\w{6})/g),
    ].map(([, name = "", color = ""]) => [name, color.toLowerCase()] as const);
  const own = (scheme: "light" | "dark") => {
    const start = tokens.indexOf(scheme === "light" ? ":where(:root)" : ":where(.dark)");
    const rule = tokens.slice(start, tokens.indexOf("}", start));
    return new Map(
      [...rule.matchAll(/--([a-z-]+): (#\w+);/g)].map(([, name, color = ""]) => [
        name,
        color.replace(/^#(\w)(\w)(\w)$/, "#$1$1$2$2$3$3"),
      ]),
    );
  };
  const light = own("light");
  const dark = new Map([...light, ...own("dark")]);
  for (const [name, color] of bySheet("light")) assert.equal(light.get(name), color, `${name}, light`);
  for (const [name, color] of bySheet("dark")) assert.equal(dark.get(name), color, `${name}, dark`);
});

test("the typeface of the first screen is at most 35 KB", () => {
  const [, file = ""] = /url\("([^"]+latin-wght[^"]+)"\)/.exec(tokens) ?? assert.fail("no typeface");
  assert.ok(statSync(createRequire(path).resolve(file)).size <= 35 * 1024);
});
