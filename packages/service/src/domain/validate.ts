import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";
import type { Problem } from "./failure.ts";

/** Checks a value against a schema without changing it: nothing is coerced, dropped or filled in. */
export type Check = (value: unknown) => Problem[];

/** Problems named in one answer. */
const problemsMax = 20;
/** Values whose JSON is longer than this get their first problem only: naming all of a hostile megabyte costs memory. */
const allProblemsBytesMax = 16_384;

const first = new Ajv2020({ strict: false, allErrors: false });
const all = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(first);
addFormats.default(all);
for (const ajv of [first, all]) {
  // The package's own also takes `urn:uuid:…`, which PostgreSQL does not.
  ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
}

/** Nothing is compiled before it is needed: of some hundred schemas a process uses few, and of those few meet a mistake. */
export function compileCheck(schema: TSchema, root = "body"): Check {
  let validateFirst: ValidateFunction | undefined;
  let validateAll: ValidateFunction | undefined;
  return (value) => {
    validateFirst ??= first.compile(schema);
    if (validateFirst(value)) return [];
    if (JSON.stringify(value).length > allProblemsBytesMax)
      return (validateFirst.errors ?? []).map((error) => problem(root, error));
    validateAll ??= all.compile(schema);
    validateAll(value);
    return onePerPath((validateAll.errors ?? []).map((error) => problem(root, error))).slice(0, problemsMax);
  };
}

/** What is wrong in kind is wrong in value as well: the first says enough. */
function onePerPath(problems: Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => !seen.has(path) && seen.add(path));
}

function problem(root: string, error: ErrorObject): Problem {
  const path = `${root}${error.instancePath.replaceAll("/", ".")}`;
  if (error.keyword === "required") return { path: `${path}.${error.params.missingProperty}`, message: "is required" };
  if (error.keyword === "enum")
    return { path, message: `must be one of ${error.params.allowedValues.slice(0, 60).join(", ")}` };
  return { path, message: error.message ?? "is not valid" };
}
