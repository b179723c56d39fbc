/** The names and values of settings, as their pages show them. For pages that list changes. */
import { settingsSections } from "@countersign/contract/settings-sections";
import { isRecord } from "../../api/client.ts";
import { words } from "../words.ts";
import type { Choice, FieldWords } from "./field-words.ts";
import { textOf } from "./settings-paths.ts";
import { challengeTimes, sections, typeChoices } from "./words-settings.ts";

/** The fields of the setting at a path, or of the setting around it. Challenges have one field per input. */
function fieldsAt(path: string): FieldWords[] {
  const fields = sections.flatMap((section) => section.fields);
  return fields.filter((one) => path === one.path || path.startsWith(`${one.path}.`));
}

/** The title of the section that has the setting. */
function sectionName(path: string): string | undefined {
  const [top = ""] = path.split(".");
  const found = settingsSections.find(({ members }) => members.some((member) => member === top));
  return found === undefined ? undefined : words.compare.sections[found.id];
}

/** The label of the setting at a path. Without a label, the title of its section. */
export function settingName(path: string): string {
  const [field, ...others] = fieldsAt(path);
  if (field !== undefined && others.length === 0) return field.label;
  return stylingAt(path)?.label ?? sectionName(path) ?? path;
}

/** The label with its section, because two settings can have the same label. */
export function settingInSection(path: string): string {
  const [name, section] = [settingName(path), sectionName(path)];
  return section === undefined || section === name ? name : `${section} · ${name}`;
}

/** The value of a setting as its page shows it. */
export function settingText(path: string, value: unknown): string {
  const [field] = fieldsAt(path);
  if (field?.kind === "secret") return textOf(value) === words.none ? words.none : words.settings.secretValue;
  if (field?.kind === "challenge" && Array.isArray(value) && value.length > 0) return challengeTexts(value).join("; ");
  const own = field?.kind === "type" ? typeChoices : field !== undefined && "choices" in field ? field.choices : [];
  const all = [...own, ...(stylingAt(path)?.choices ?? [])];
  const nameOf = (one: unknown) => all.find((choice) => choice.value === one)?.label ?? textOf(one);
  const isList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string");
  return isList ? value.map(nameOf).join(", ") : nameOf(value);
}

/** When each challenge of a list is requested, such as "Birthday: Always". */
function challengeTexts(list: readonly unknown[]): string[] {
  const fields = fieldsAt("challenges");
  return list.filter(isRecord).map((one) => {
    const field = fields.find((other) => other.kind === "challenge" && other.input === one.input);
    const when = challengeTimes.find(({ value }) => value === one.when);
    return `${field?.label ?? String(one.input)}: ${when?.label ?? String(one.when)}`;
  });
}

function stylingAt(path: string): { label: string; choices: readonly Choice[] } | undefined {
  const { labels, choices: given } = words.styling;
  const name = Object.keys(labels).find((one): one is keyof typeof labels => path === `styling.${one}`);
  if (name === undefined) return undefined;
  const found: readonly Choice[] | undefined = Object.entries(given).find(([one]) => one === name)?.[1];
  return { label: labels[name], choices: found ?? [] };
}
