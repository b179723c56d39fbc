/** A brand that shows the data on its own pages reports what the person changed. */
import { type CredentialType, compositeChildren, credentialKey } from "@countersign/contract/credential";
import type { VerificationMethod } from "@countersign/contract/entity";
import { insertEarnings } from "../../audit/ledger-rows.ts";
import { assemble } from "../../credential/assemble.ts";
import { brandPattern } from "../../credential/format.ts";
import { validateCredential } from "../../credential/library.ts";
import { parseDelivered } from "../../credential/parse.ts";
import { today } from "../../day.ts";
import type { Caller, Deps } from "../../deps.ts";
import { fail, invalid, type Problem } from "../../failure.ts";
import { journeys } from "../../journey.ts";
import type { StoredOneClick } from "../one-click.ts";
import { changeFacts } from "../one-click-rows.ts";
import { ownOneClick } from "./read.ts";

/** Reported values by credential key, in the delivered format. A composite has its parts by key. */
export type ReportedEdits = Record<string, string | Record<string, string>>;
type Atom = { type: CredentialType; verificationMethod: VerificationMethod; data: Record<string, string> };
export type ReportedCredential = {
  type: CredentialType;
  verificationMethod: VerificationMethod;
  data: Record<string, string> | Atom[];
};

const reportable: readonly CredentialType[] = [
  "EmailCredential",
  "FullNameCredential",
  "BirthDateCredential",
  "AddressCredential",
  "SsnCredential",
];

/**
 * Validates, stores and returns the values. A changed value is self-attested; an unchanged value keeps its verification
 * method.
 */
export async function reportEdits(
  deps: Deps,
  caller: Caller,
  input: { uuid: string; edits: ReportedEdits },
): Promise<ReportedCredential[]> {
  const oneClick = await ownOneClick(deps, caller, input.uuid);
  if (journeys[oneClick.journey].review !== "brand")
    throw fail("ERR001", {}, "Edits can be reported only if the brand shows the data itself.");
  if (oneClick.state !== "released") throw fail("OCE015", {});
  const { credentialFormats, governmentId } = caller.brand.settings;
  const delivered = assemble(oneClick.facts.credentials, credentialFormats, { reportsIds: governmentId.reported });
  const country = countryOf(oneClick) ?? "US";
  const problems: Problem[] = [];
  const reported = Object.entries(input.edits).flatMap(([key, value]) => {
    const type = reportable.find((one) => credentialKey(one) === key);
    const path = `body.credentials.${key}`;
    if (type === undefined) problems.push({ path, message: `Use one of ${reportable.map(credentialKey).join(", ")}.` });
    return type === undefined
      ? []
      : [readEdit({ caller, today: today(deps.clock), country, delivered, problems, path, type }, value)];
  });
  if (problems.length > 0) throw invalid(problems);
  await saveEdits(deps, caller, oneClick, reported);
  return reported;
}

/** The country of the delivered address, if it was delivered. */
function countryOf({ facts }: StoredOneClick): string | undefined {
  const [address] = facts.credentials.find(({ request }) => request.type === "AddressCredential")?.values ?? [];
  if (address === undefined || !("children" in address)) return undefined;
  const country = address.children.find(({ type }) => type === "CountryCredential");
  return country !== undefined && "value" in country ? country.value : undefined;
}

type Reading = {
  caller: Caller;
  today: string;
  /** It decides which states and ZIP codes an address may have. */
  country: string;
  delivered: ReturnType<typeof assemble>;
  problems: Problem[];
  path: string;
  type: CredentialType;
};

function readEdit(reading: Reading, value: string | Record<string, string>): ReportedCredential {
  const { type, path, problems } = reading;
  const children = childrenOf(type);
  if (
    typeof value === "string" &&
    children !== null &&
    brandPattern(type, reading.caller.brand.settings.credentialFormats) === null
  )
    problems.push({ path, message: `Use an object with ${children.map(credentialKey).join(", ")}.` });
  if (typeof value === "string")
    return children === null
      ? atomOf(reading, type, [], value)
      : { type, verificationMethod: methodOf(reading, [], value), data: { [credentialKey(type)]: value } };
  if (children === null) {
    problems.push({ path, message: "Use text." });
    return { type, verificationMethod: null, data: {} };
  }
  const whole = { ...reading, country: countryIn(reading, value.country) };
  const atoms = Object.entries(value).flatMap(([key, part]) => {
    const child = children.find((one) => credentialKey(one) === key);
    if (child !== undefined) return [atomOf({ ...whole, path: `${path}.${key}` }, child, [key], part)];
    problems.push({ path: `${path}.${key}`, message: `This is not a part of ${type}.` });
    return [];
  });
  const methods = new Set(atoms.map((one) => one.verificationMethod));
  return {
    type,
    verificationMethod: methods.size === 1 ? (atoms[0]?.verificationMethod ?? null) : "self_attested",
    data: atoms,
  };
}

/** The country of an edited address: as edited, or as delivered. */
function countryIn({ caller, country, today }: Reading, edited: string | undefined): string {
  const formats = caller.brand.settings.credentialFormats;
  return edited === undefined ? country : parseDelivered("CountryCredential", edited, { formats, today });
}

function atomOf(reading: Reading, type: CredentialType, keys: string[], value: string): Atom {
  const formats = reading.caller.brand.settings.credentialFormats;
  const parsed = parseDelivered(type, value, { formats, today: reading.today });
  const data = { [credentialKey(type)]: parsed };
  const problem = validateCredential(type, { country: reading.country, ...data });
  if (problem !== undefined) reading.problems.push({ path: reading.path, message: problem.message });
  return { type, verificationMethod: methodOf(reading, keys, value), data };
}

/** The delivered verification method if the value is unchanged; otherwise `self_attested`. */
function methodOf({ delivered, type }: Reading, keys: string[], value: string): VerificationMethod {
  const valueIn = (map: Record<string, unknown>) =>
    [credentialKey(type), ...keys].reduce<unknown>((inner, key) => member(inner, key), map);
  const isUnchanged = valueIn(delivered.credentials) === value;
  const method = valueIn(delivered.metadata.verificationMethod);
  return isUnchanged && isMethod(method) ? method : "self_attested";
}

/** Reads a member of an object, or of the first element of an array. */
function member(value: unknown, key: string): unknown {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === "object" && one !== null ? Object.entries(one).find(([name]) => name === key)?.[1] : undefined;
}

function isMethod(value: unknown): value is VerificationMethod {
  return (
    value === null ||
    ["credit_bureau", "data_bureau", "phone_carrier", "otp", "customer_otp", "self_attested", "government_id"].some(
      (one) => one === value,
    )
  );
}

function childrenOf(type: CredentialType): readonly CredentialType[] | null {
  return type === "FullNameCredential" || type === "AddressCredential" ? compositeChildren[type] : null;
}

async function saveEdits(
  deps: Deps,
  caller: Caller,
  oneClick: StoredOneClick,
  edits: ReportedCredential[],
): Promise<void> {
  const earning = {
    kind: "editsReported" as const,
    brandUuid: caller.brand.uuid,
    personUuid: oneClick.personUuid,
    subjectUuid: oneClick.uuid,
    causeUuid: oneClick.uuid,
    detail: { types: edits.map((one) => one.type) },
  };
  await deps.db.inTransaction(async (trx) => {
    const changed = await changeFacts(deps, trx, { caller, oneClick }, (facts) => ({ ...facts, edits }));
    if (changed === null) throw fail("OCE015", {});
    await insertEarnings(deps, trx, [earning]);
  });
}
