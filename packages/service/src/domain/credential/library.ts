import type { CredentialType } from "@countersign/contract/credential";
import { libraryKeywords, schemaLibrary } from "@countersign/contract/schema-library";
import { dayFormat, isDayInMillis } from "@countersign/contract/value-rules";
import { Ajv2019, type ErrorObject } from "ajv/dist/2019.js";
import { requiredWords } from "../problem-words.ts";

/** A problem in a credential's data: the key of the value, or null for the whole object. */
export type DataProblem = { key: string | null; message: string };

// A test validates the schemas themselves (schemas.test.ts), so processes need not.
const library = new Ajv2019({ strict: true, verbose: true, validateSchema: false, meta: false });
library.addVocabulary([...libraryKeywords]);
library.addFormat(dayFormat, { type: "string", validate: isDayInMillis });
for (const schema of Object.values(schemaLibrary)) library.addSchema(schema);

/**
 * Validates data against the published schema of its type. A composite's data is its children's data merged into one
 * object. Returns the first problem, which never contains a value. No other code validates credentials.
 */
export function validateCredential(
  type: CredentialType,
  data: Readonly<Record<string, unknown>>,
): DataProblem | undefined {
  const validate = library.getSchema(type);
  if (validate === undefined) throw new Error(`no schema for ${type}`);
  if (validate(data) === true) return undefined;
  const [error] = validate.errors ?? [];
  return error === undefined ? { key: null, message: unfit } : problemOf(error);
}

const unfit = "This does not match the schema of the type.";

function problemOf(error: ErrorObject): DataProblem {
  if (error.keyword === "required") return { key: String(error.params.missingProperty), message: requiredWords };
  const key = error.instancePath.slice(1).split("/")[0] ?? "";
  if (key === "") return { key: null, message: unfit };
  if (error.keyword === "type") return { key, message: "Use text." };
  const said: unknown = error.parentSchema?.errorMessage;
  return { key, message: typeof said === "string" ? said.replace(/^must be (.*)$/, "Use $1.") : unfit };
}
