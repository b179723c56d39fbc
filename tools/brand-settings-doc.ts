import { BrandSettings, environments, integrationTypes } from "@countersign/contract/brand";
import { settingsSections } from "@countersign/contract/settings-sections";
import { defaultSettings } from "../packages/service/src/domain/brand/settings.ts";
import { settingName } from "../packages/web/src/dashboard/settings/setting-texts.ts";
import { valueAt } from "../packages/web/src/dashboard/settings/settings-paths.ts";
import { words } from "../packages/web/src/dashboard/words.ts";
import type { Schema } from "./type-text.ts";

const head = `---
title: Brand settings
order: 4.5
---

<!-- Generated from the schema of the settings and the dashboard's labels by \`npm run generate\`. -->

# Brand settings

This page lists every setting of a brand: its name in the API, its label in the dashboard, its default and its meaning. Each brand has its own
settings in each environment. The settings of the service itself are [environment variables](settings.md).

**In the dashboard**, open your brand. A page's name stands above each table.

**By the API**, in the sandbox only, send what you want to change. All other settings stay. A list replaces the whole list:

\`\`\`sh
curl -s -X PATCH localhost:4000/sandbox/brands/b0000000-0000-4000-8000-000000000001/settings \\
  -H 'Authorization: sk_sandbox_demo_api' -H 'Content-Type: application/json' \\
  -d '{"styling":{"oneClickWord":"Login"}}'
\`\`\`

A name such as \`health.enabled\` means the member \`enabled\` of the object \`health\`. \`[]\` means each entry of a list.
`;

const next = `
## What to do next

- [Going to production](../guides/production.md): the settings and approvals that a brand needs there.
- [Command line](command-line.md): how the operator sets a brand's logo and approvals.
`;

/** The sections with their own page. All others are on the page *Settings*. */
const ownPages: readonly string[] = ["requests", "networkRules", "styling"];

/** Defaults that depend on the brand. */
const chosen: Readonly<Record<string, string>> = {
  integrationType: "none: you choose it",
  externalName: "the brand's name",
  defaultCredentialRequests: "depends on the integration type",
};

/** Generates `docs/reference/brand-settings.md`. */
export function brandSettingsMarkdown(): string {
  const schema: Schema = JSON.parse(JSON.stringify(BrandSettings));
  const missing = Object.keys(schema.properties ?? {}).filter(
    (name) => !sections.some(({ members }) => members.includes(name)),
  );
  if (missing.length > 0) throw new Error(`no section of the settings has ${missing.join(", ")}`);
  return `${head}${sections.map((section) => sectionOf(section, schema)).join("")}${next}`;
}

type Section = { id: keyof typeof words.compare.sections; members: readonly string[] };
const sections: readonly Section[] = settingsSections.map(({ id, members }) => {
  return { id, members: id === "general" ? ["integrationType", ...members] : members };
});

function sectionOf({ id, members }: Section, { properties = {} }: Schema): string {
  const title = words.compare.sections[id];
  const place = ownPages.includes(id) ? `*${title}*` : `*${words.nav.settings}* → *${title}*`;
  const rows = members.flatMap((name) => rowsOf(name, properties[name] ?? {}));
  return `\n## ${title}\n\nIn the dashboard: ${place}.\n\n| Setting, and its label | Default | Meaning |\n|---|---|---|\n${rows.join("")}`;
}

/** The rows of a setting and its members. */
function rowsOf(path: string, schema: Schema): string[] {
  const inner = (schema.anyOf ?? []).find(({ properties }) => properties !== undefined) ?? schema;
  const isList = inner.type === "array";
  const { properties } = isList ? (inner.items ?? {}) : inner;
  // A request contains requests. A guide explains them.
  const members = path === "defaultCredentialRequests" ? [] : Object.entries(properties ?? {});
  const below = members.flatMap(([name, one]) => rowsOf(`${path}${isList ? "[]" : ""}.${name}`, one));
  const isObject = properties !== undefined && !isList;
  const isGroup = isObject && inner === schema;
  const label = path.includes("[]") || isObject ? "" : settingName(path);
  const cells = [`\`${path}\`${label === "" ? "" : `<br>${label}`}`, defaultOf(path), meaningOf(schema)];
  return isGroup ? below : [`| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`, ...below];
}

function meaningOf({ description = "", enum: choices, items }: Schema): string {
  const sentence = description.trim().replace(/[^.]$/, "$&.");
  const all = choices ?? items?.enum;
  return all === undefined ? sentence : `${sentence} Values: ${all.map((one) => `\`${one}\``).join(", ")}.`;
}

/** The default as JSON, and the integration types and environments with another default. */
function defaultOf(path: string): string {
  const own = chosen[path];
  if (own !== undefined || path.includes("[]")) return own ?? "";
  const json = (integrationType: (typeof integrationTypes)[number], environment: string) => {
    const options = { name: "", integrationType, consentDeclared: environment === "sandbox" };
    const value = valueAt(defaultSettings(options), path);
    return value === undefined ? "" : `\`${JSON.stringify(value).replaceAll(",", ", ")}\``;
  };
  const usual = json("sdk", "sandbox");
  const others = [
    ...environments.map((one) => [json("sdk", one), `in ${one}`] as const),
    ...integrationTypes.map((one) => [json(one, "sandbox"), `for ${one}`] as const),
  ].filter(([value]) => value !== usual);
  return [usual, ...others.map(([value, where]) => `${where}: ${value}`)].join("; ");
}
