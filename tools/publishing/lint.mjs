/**
 * Lints the OpenAPI documents with the linters of Redocly and Spectral. Their configurations are `redocly.yaml` and
 * `spectral.mjs`.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { loadConfig, lint as redocly } from "@redocly/openapi-core";
import spectralCore from "@stoplight/spectral-core";
import spectralParsers from "@stoplight/spectral-parsers";
import { ruleset } from "./spectral.mjs";

const { Document, Ruleset, Spectral } = spectralCore;
const config = await loadConfig({ configPath: resolve(import.meta.dirname, "redocly.yaml") });
const spectral = new Spectral();
spectral.setRuleset(new Ruleset(ruleset));
/** Every finding of Spectral is an error, unless `spectral.mjs` makes its rule a warning. */
const isAccepted = (rule) => ruleset.rules[rule] === "warn";

let errors = 0;
const warnings = new Map();
for (const path of process.argv.slice(2)) {
  for (const { ruleId, severity, message, location } of await redocly({ ref: path, config }))
    count(severity === "error", ruleId, `${path} ${location[0]?.pointer}: ${message}`);
  const document = new Document(readFileSync(path, "utf8"), spectralParsers.Json, path);
  for (const { code, message, path: place } of await spectral.run(document))
    count(!isAccepted(code), String(code), `${path} #/${place.join("/")}: ${message}`);
}
const reasons = [...warnings].map(([rule, number]) => `${number} of ${rule}`).join(", ");
process.stdout.write(`${errors} errors. Warnings with a reason in tools/publishing: ${reasons}.\n`);
process.exitCode = errors === 0 ? 0 : 1;

function count(isError, rule, text) {
  if (!isError) warnings.set(rule, (warnings.get(rule) ?? 0) + 1);
  else {
    errors += 1;
    process.stdout.write(`${rule}: ${text}\n`);
  }
}
