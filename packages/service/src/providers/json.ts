import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Static, TSchema } from "typebox";

export type Json = Record<string, unknown>;

/** Parses a vendor's answer. Null if it is not a JSON object. */
export function readObject(text: string): Json | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): Json | null {
  return isObject(value) ? value : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member that is a non-empty text. Otherwise null. */
export function textOf(object: Json | null, name: string): string | null {
  const value = object?.[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The objects in a member that is a list; empty if the member is not a list. */
export function listOf(object: Json | null, name: string): Json[] {
  const value = object?.[name];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, meta: false });

/** A type guard that validates vendor data against the schema of its contract. Compiles on first use. */
export function guardOf<Schema extends TSchema>(schema: Schema): (value: unknown) => value is Static<Schema> {
  let validate: ValidateFunction | undefined;
  return (value): value is Static<Schema> => {
    validate ??= ajv.compile(schema);
    return validate(value) === true;
  };
}
