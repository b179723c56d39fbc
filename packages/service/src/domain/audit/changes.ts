import { isDeepStrictEqual } from "node:util";
import { maskedAddress } from "@countersign/contract/masked-address";
import type { Change } from "../../store/statements/tables.ts";
import { isRecord } from "../validate.ts";

/** Longer values are cut. The row of the settings version has them in full. */
const textMax = 200;
const changesMax = 50;
/** Members whose values are never read back. */
const secret = /(^|\.)authorization$/;
/** URLs whose path or query may contain a secret. */
const secretAddress = /(^|\.)push\.url$/;

/** Each changed member with its old and new value. A list counts as one member. */
export function changesBetween(before: object, after: object): Change[] {
  return differences(before, after, "").slice(0, changesMax);
}

function differences(before: unknown, after: unknown, path: string): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differences(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  const from = textOf(before, path);
  const to = textOf(after, path);
  return [{ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }];
}

function textOf(value: unknown, path: string): string | undefined {
  if (value === undefined) return undefined;
  const shown = JSON.stringify(value, (key, member) => withoutSecrets(key === "" ? path : `${path}.${key}`, member));
  return shown.length > textMax ? `${shown.slice(0, textMax)}…` : shown;
}

function withoutSecrets(path: string, value: unknown): unknown {
  if (secret.test(path)) return "•••";
  return secretAddress.test(path) && typeof value === "string" ? maskedAddress(value) : value;
}
