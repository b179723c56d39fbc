import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";
import { isEmail } from "./email.ts";
import type { Problem } from "./failure.ts";
import { problemWords } from "./problem-words.ts";

/** Checks a value against a schema without changing it: no coercion, no removed members, no defaults. */
export type Check = (value: unknown) => Problem[];

/** Maximum number of problems in one answer. */
const problemsMax = 20;
/** A value with longer JSON gets only its first problem: listing all problems of a hostile megabyte costs memory. */
const allProblemsBytesMax = 16_384;

// A test validates the schemas themselves (schemas.test.ts), so processes need not.
const options = { strict: false, validateSchema: false, meta: false };
const first = new Ajv2020({ ...options, allErrors: false });
const all = new Ajv2020({ ...options, allErrors: true, verbose: true });
addFormats.default(first);
addFormats.default(all);
for (const ajv of [first, all]) {
  // The package's own format rejects letters outside ASCII, and does not count the characters before the @.
  ajv.addFormat("email", isEmail);
  // The package's own format also accepts `urn:uuid:…`, which PostgreSQL rejects.
  ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
}

/**
 * Compiles on first use, because a process uses few of its hundred or so schemas. The slower all-errors check is
 * compiled only once a value fails.
 */
export function compileCheck(schema: TSchema, root: string): Check {
  let validateFirst: ValidateFunction | undefined;
  let validateAll: ValidateFunction | undefined;
  return (value) => {
    validateFirst ??= first.compile(schema);
    if (validateFirst(value)) return [];
    if (JSON.stringify(value).length > allProblemsBytesMax)
      return (validateFirst.errors ?? []).map((error) => problem(root, error));
    validateAll ??= all.compile(schema);
    validateAll(value);
    const errors = withoutTypesOfEnums(ofMeantShapes(validateAll.errors ?? []));
    return onePerPath(errors.map((error) => problem(root, error))).slice(0, problemsMax);
  };
}

/**
 * Drops errors of `anyOf` shapes that the caller did not mean. A value that matches no shape fails in each of them, but
 * only the errors of the shape with the right type (or a matching constant such as `"type": "basic"`) help.
 */
function ofMeantShapes(errors: ErrorObject[]): ErrorObject[] {
  const shapeOf = ({ schemaPath }: ErrorObject) => /^.*\/anyOf\/\d+(?=\/)/.exec(schemaPath)?.[0] ?? "";
  const others = new Set(
    errors.flatMap((error) => {
      const isOther = error.keyword === "const" || /\/anyOf\/\d+\/type$/.test(error.schemaPath);
      return isOther ? shapeOf(error) : [];
    }),
  );
  const meant = errors.filter((error) => error.keyword !== "anyOf" && !others.has(shapeOf(error)));
  return meant.length === 0 ? errors : meant;
}

/** Drops "Use text." where the list of allowed texts says more. */
function withoutTypesOfEnums(errors: ErrorObject[]): ErrorObject[] {
  const listed = new Set(errors.filter(({ keyword }) => keyword === "enum").map(({ instancePath }) => instancePath));
  return errors.filter(({ keyword, instancePath }) => keyword !== "type" || !listed.has(instancePath));
}

/** Keeps the first problem of each path. A value of the wrong type also fails other checks. */
function onePerPath(problems: Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ path }) => !seen.has(path) && seen.add(path));
}

function problem(root: string, error: ErrorObject): Problem {
  const path = `${root}${error.instancePath.replaceAll("/", ".")}`;
  const message = problemWords(error);
  return { path: error.keyword === "required" ? `${path}.${error.params.missingProperty}` : path, message };
}

/** Whether a value is an object with members, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
