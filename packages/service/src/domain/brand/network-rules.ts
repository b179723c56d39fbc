import type { BrandSettings } from "@countersign/contract/brand";
import type { Problem } from "../failure.ts";

type Rule = BrandSettings["networkRules"][number];
type Condition = Rule["conditions"][number];

const equal = ["EQUAL", "NOT_EQUAL"];
const include = ["INCLUDE", "NOT_INCLUDE"];
/** The facts that a rule can test, with their operators. */
const operatorsOf: Record<string, readonly string[]> = {
  payerId: equal,
  payerName: [...equal, ...include],
  state: equal,
  insuranceTypeCodes: include,
  planName: [...equal, ...include],
  relatedEntities: [...equal, ...include],
  groupNumber: [...equal, ...include],
  groupName: [...equal, ...include],
};
const insuranceTypes = new Set(
  "NONE 12 13 14 15 16 41 42 43 47 AP C1 CO CP D DB EP FF GP HM HN HS IN IP LC LD LI LT MA MB MC MH MI MP OT PE PL PP PR PS QM RP SP TF WC WU".split(
    " ",
  ),
);
const states = new Set(
  "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI AA AE AP".split(
    " ",
  ),
);
const metadataMembersMax = 20;
const metadataKeyMax = 64;

/** All problems of a brand's network rules. Each has its path and starts with a code that programs can check. */
export function networkRuleProblems(rules: readonly Rule[]): Problem[] {
  return rules.flatMap((rule, at) => {
    const path = `settings.networkRules.${at}`;
    return [
      ...rule.conditions.flatMap((condition, index) => conditionProblems(condition, `${path}.conditions.${index}`)),
      ...duplicateProblems(rule.conditions, path),
      ...dateProblems(rule, path),
      ...metadataProblems(rule, path),
    ];
  });
}

/** Adds a uuid and a name to each rule without one, for storage. */
export function namedRules(rules: readonly Rule[], uuid: () => string): Rule[] {
  return rules.map((rule, at) => ({ ...rule, uuid: rule.uuid ?? uuid(), name: rule.name ?? `Rule ${at + 1}` }));
}

function conditionProblems({ key, operator, values }: Condition, path: string): Problem[] {
  const operators = Object.hasOwn(operatorsOf, key) ? operatorsOf[key] : undefined;
  if (operators === undefined) {
    const known = Object.keys(operatorsOf).join(", ");
    return [{ path: `${path}.key`, message: `UNKNOWN_KEY: Use one of ${known}.` }];
  }
  const problems: Problem[] = operators.includes(operator)
    ? []
    : [
        {
          path: `${path}.operator`,
          message: `OPERATOR_NOT_ALLOWED_FOR_KEY: For ${key}, use ${operators.join(" or ")}.`,
        },
      ];
  return [
    ...problems,
    ...values.flatMap((value, at) =>
      valueProblem(key, value).map((message) => ({ path: `${path}.values.${at}`, message })),
    ),
  ];
}

function valueProblem(key: string, value: string): string[] {
  const text = value.trim();
  if (text === "") return ["VALUE_SHAPE: Enter a value."];
  if (key === "state" && !states.has(text.toUpperCase())) return ["UNKNOWN_ENUM_VALUE: Use a two-letter state code."];
  if (key === "insuranceTypeCodes" && !insuranceTypes.has(text.toUpperCase()))
    return ["UNKNOWN_ENUM_VALUE: Use an X12 insurance type code, or NONE."];
  if (key === "payerId" && !/^[\w .-]{1,80}$/.test(text)) return ["VALUE_SHAPE: Use the ID of a payer or group."];
  const freeText = ["payerName", "planName", "relatedEntities", "groupName"].includes(key);
  return freeText && looksPersonal(text)
    ? ["PHI_SUSPECTED: This looks like a member ID or a date. Rules are about plans, not people."]
    : [];
}

/** Six digits in a row or a date: member cards have these, and plan names do not. */
function looksPersonal(text: string): boolean {
  return /\d{6,}/.test(text) || /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/.test(text);
}

function duplicateProblems(conditions: readonly Condition[], path: string): Problem[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ key, operator, values }, at) => {
    const folded = values.map((value) => value.trim().toLowerCase()).sort();
    const text = JSON.stringify([key, operator, folded]);
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    return [
      {
        path: `${path}.conditions.${at}`,
        message: "DUPLICATE_CONDITIONS: Remove it: it repeats an earlier condition.",
      },
    ];
  });
}

function dateProblems({ startDate, endDate }: Rule, path: string): Problem[] {
  // The end is exclusive, so a rule that ends at its start is never active.
  if (startDate === undefined || startDate === null || endDate === undefined || endDate === null) return [];
  return endDate > startDate
    ? []
    : [{ path: `${path}.endDate`, message: "DATE_RANGE_INVERTED: Use a date after the start." }];
}

function metadataProblems({ metadata }: Rule, path: string): Problem[] {
  const entries = Object.entries(metadata ?? {});
  const problem = (message: string) => [{ path: `${path}.metadata`, message: `METADATA_INVALID: ${message}` }];
  if (entries.length > metadataMembersMax) return problem(`Use at most ${metadataMembersMax} members.`);
  if (entries.some(([key]) => key === "" || key.length > metadataKeyMax))
    return problem(`Use names with 1 to ${metadataKeyMax} characters.`);
  const kinds: Record<string, string> = { selfPay: "boolean", priority: "number", packageId: "string" };
  return entries.flatMap(([key, value]) =>
    Object.hasOwn(kinds, key) && typeof value !== kinds[key] ? problem(`For ${key}, use a ${kinds[key]}.`) : [],
  );
}
