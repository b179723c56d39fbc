/** The kinds of settings, and what a form needs to know about each. */
import type { SectionId } from "@countersign/contract/settings-sections";

export type Choice = { value: string; label: string };
type Kind =
  /** `empty: null`: an empty field means null. */
  | { kind: "text"; empty?: null; max: number }
  /** A pattern: one of the choices, or a custom one. */
  | { kind: "pattern"; max: number; choices: readonly Choice[] }
  | { kind: "longText"; max: number }
  | { kind: "lines"; max: number }
  | { kind: "codes" }
  | { kind: "switch" }
  | { kind: "select"; choices: readonly Choice[] }
  | { kind: "checks"; choices: readonly Choice[] }
  | { kind: "type" }
  | { kind: "challenge"; input: string }
  | { kind: "providers" }
  | { kind: "secret" };
export type FieldWords = {
  path: string;
  label: string;
  says: string;
  /** Shown in the empty field. */
  example?: string;
  /** The heading above this field and the following fields of the same group. */
  group?: string;
  /** The switch that the setting depends on. The field is indented below it. */
  needs?: string;
} & Kind;
export type SectionWords = { id: SectionId; title: string; lead: string; fields: readonly FieldWords[] };

export const choices = (...pairs: [string, string][]): Choice[] => pairs.map(([value, label]) => ({ value, label }));
