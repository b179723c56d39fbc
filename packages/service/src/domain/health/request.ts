import type { CredentialType } from "@countersign/contract/credential";
import { givenChallenges } from "@countersign/contract/errors";
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import { recordAudit } from "../audit/record.ts";
import { stateCodeOf } from "../credential/us-regions.ts";
import { birthDateProblems } from "../day.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail, invalid, type Problem, refuse } from "../failure.ts";
import { journeys } from "../journey.ts";
import { isNpi, npiWords } from "../npi.ts";
import { readPerson } from "../person.ts";
import { lockPeopleForKeyShare } from "../person-rows.ts";
import type { InsuredPerson, Phone, SourcedCredential } from "../ports.ts";
import { requiredWords } from "../problem-words.ts";
import { countUncompared } from "../signup/challenges.ts";
import type { StoredOneClick } from "../signup/one-click.ts";
import { findOneClickForKey } from "../signup/one-click-for-key.ts";
import { findOneClick, lockOneClick } from "../signup/one-click-rows.ts";
import { type HealthLookup, type HealthQuestion, lookupJob } from "./lookup.ts";
import { countOpenLookups, findLookupStartedByPerson, insertLookup } from "./lookup-rows.ts";
import { hasLetter, latinWords, memberIdMin, memberIdOf } from "./x12/compose.ts";

/** A brand's question, in domain terms. */
export type HealthAsk = {
  checkAfterAutofill?: boolean;
  npi?: string;
  identityUuid?: string;
  externalReference?: string;
  fullName?: { firstName: string; middleName?: string; lastName: string };
  birthDate?: string;
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string; country?: string };
  sex?: string;
  ssn?: string;
  payer?: { id?: string; name?: string };
  memberId?: string;
  serviceTypeCodes?: string[];
  procedureCodes?: { code: string; qualifier?: string; modifiers?: string[] }[];
};

const defaultQualifier = "HC";
/** CPT (including categories II and III), HCPCS and dental codes. All other qualifiers use `otherCode`. */
const codePatterns: Record<string, RegExp> = {
  HC: /^(\d{5}|[A-Za-z]\d{4}|\d{4}[FTUMftum])$/,
  CJ: /^(\d{5}|[A-Za-z]\d{4}|\d{4}[FTUMftum])$/,
  AD: /^([A-Za-z]\d{4}|\d{5})$/,
};
const otherCode = /^[A-Za-z0-9.-]{1,48}$/;

/** Lookups of one brand that have no result yet. A longer queue would delay other brands and keep SSNs for days. */
const openMax = 1_000;
/** Whether a name has visible characters, but none that a 270 can contain. */
const isUnwritable = (name: string | undefined) => name !== undefined && name.trim() !== "" && !hasLetter(name);

const notEnabled =
  "1-Click Health is not enabled in this brand's settings. Turn on `health.enabled`: in the dashboard, Settings → Health → 1-Click Health.";

/**
 * Starts a lookup: validates the question, stores it and queues the work. If the request names a 1-Click, the question
 * includes the person's data from it.
 */
export async function startLookup(
  deps: Deps,
  caller: Caller,
  ask: HealthAsk,
  { startedByPerson }: { startedByPerson: boolean } = { startedByPerson: false },
): Promise<HealthLookup> {
  const { settings } = caller.brand;
  if (!settings.health.enabled) throw refuse(403, notEnabled);
  if (!deps.policy.offers.health) throw refuse(403, "1-Click Health is not available: no clearinghouse is configured.");
  // A person who starts a lookup consents to it, so the brand need not declare consent.
  if (!startedByPerson && !settings.consent.declared)
    throw refuse(403, "The brand's settings do not declare that people consent (consent.declared).");
  const problems = shapeProblems(deps, ask);
  if (problems.length > 0) throw invalid(problems);
  const hydrated = ask.identityUuid === undefined ? null : await hydrate(deps, caller, ask.identityUuid);
  if (hydrated !== null) await countGuess(deps, caller, hydrated, ask.birthDate);
  const question: HealthQuestion = {
    ...(ask.externalReference === undefined ? {} : { externalReference: ask.externalReference }),
    person: withRequiredDetails(personOf(ask, hydrated)),
    ...(hydrated?.sourced.length === 3 && changedDetails(ask, hydrated).length === 0
      ? { isHolder: true as const }
      : {}),
    provider: providerOf(deps, caller, ask.npi),
    checks: ask.memberId !== undefined || (ask.checkAfterAutofill ?? settings.health.checkAfterAutofill),
    ...(ask.memberId === undefined ? {} : { memberId: memberIdOf(ask.memberId) }),
    ...(ask.payer === undefined ? {} : { payer: ask.payer }),
    serviceTypeCodes: upper(ask.serviceTypeCodes ?? settings.health.serviceTypeCodes),
    procedureCodes: (ask.procedureCodes ?? []).map(({ code, qualifier, modifiers }) => ({
      code: code.toUpperCase(),
      qualifier: qualifier ?? defaultQualifier,
      modifiers: upper(modifiers ?? []),
    })),
  };
  return await storeLookup(deps, caller, { question, hydrated, startedByPerson });
}

/**
 * Counts a birth date that no source gave as an attempt at the challenge: a payer finds plans only with the right one, so
 * a search would otherwise answer guesses. Throws OCE019 if no attempts are left.
 */
async function countGuess(deps: Deps, caller: Caller, hydrated: Hydrated, named: string | undefined): Promise<void> {
  const { phone, sourced, hasTypedBirthDate, person } = hydrated;
  if (sourced.includes("birthDate")) return;
  const given = givenChallenges({ birthDate: named ?? (hasTypedBirthDate ? person.birthDate : undefined) });
  const exceeded = await countUncompared(deps, { brandUuid: caller.brand.uuid, phone, given });
  if (exceeded.length > 0) throw fail("OCE019", { inputAttemptsExceeded: exceeded });
}

type NewLookup = { question: HealthQuestion; hydrated: Hydrated | null; startedByPerson: boolean };

/**
 * Stores a lookup and queues its work. If the person starts it but has skipped insurance or started one already, stores
 * nothing: the uuid in the answer then belongs to no lookup.
 */
async function storeLookup(
  deps: Deps,
  caller: Caller,
  { question, hydrated, startedByPerson }: NewLookup,
): Promise<HealthLookup> {
  const uuid = deps.random.uuid();
  const brandUuid = caller.brand.uuid;
  const now = deps.clock.now();
  return await deps.db.inTransaction(async (trx) => {
    const oneClick = hydrated === null ? null : await lockReleased(deps, trx, caller, hydrated);
    const hasSkipped = oneClick?.facts.page?.insurance === "skipped";
    if (oneClick !== null && !startedByPerson && question.memberId === undefined)
      await assertNotAsked(deps, trx, oneClick);
    const person = hydrated === null ? null : await readPerson(deps, trx, hydrated.personUuid);
    const dataKey = person?.dataKey ?? (await deps.vault.createDataKey(trx, deps.environment, now));
    const personUuid = person?.uuid ?? null;
    const oneClickUuid = hydrated?.oneClickUuid ?? null;
    const lookup = { uuid, personUuid, oneClickUuid, dataKey, question, startedByPerson };
    if ((await countOpenLookups(deps, trx, brandUuid, openMax)) >= openMax)
      throw refuse(429, "Too many lookups of this brand have no result yet. Try again when some have ended.");
    if (!(startedByPerson && hasSkipped) && (await insertLookup(deps, trx, caller, lookup))) {
      await enqueue(deps, trx, lookupJob(deps, { uuid, brandUuid, dueAt: now }));
      await recordAudit(deps, trx, caller, {
        action: "health.requested",
        ...(personUuid === null ? {} : { personUuid }),
        ...(oneClickUuid === null ? {} : { oneClickUuid }),
        detail: { healthDataUuid: uuid },
      });
    }
    const { apiKeyUuid, requestId } = caller;
    const { settingsVersion } = caller.brand;
    const stored = { uuid, brandUuid, apiKeyUuid, requestId, personUuid, settingsVersion, startedByPerson, dataKey };
    return { ...stored, state: "pending", createdAt: now, question, result: null };
  });
}

/**
 * Locks the person and then the 1-Click, in the order of a withdrawal and a deletion. They then wait for the lookup's
 * row.
 */
async function lockReleased(
  deps: Deps,
  trx: Trx,
  caller: Caller,
  { personUuid, oneClickUuid }: Hydrated,
): Promise<StoredOneClick> {
  await lockPeopleForKeyShare(trx, [personUuid]);
  await lockOneClick(trx, oneClickUuid);
  const oneClick = await findOneClick(deps, trx, caller, oneClickUuid);
  if (oneClick?.state !== "released") throw fail("OCE015", {});
  return oneClick;
}

/**
 * Refuses a search for plans if the wallet asks the person about their insurance, also before they have answered and
 * after they skipped it. It asks nobody who was asked for no data. If their own search found nothing and they went on, the
 * brand may search.
 */
async function assertNotAsked(deps: Deps, trx: Trx, { uuid, journey, requestTree }: StoredOneClick): Promise<void> {
  if (!journeys[journey].offersHealth || requestTree.length === 0) return;
  if ((await findLookupStartedByPerson(deps, uuid, trx))?.state !== "failed")
    throw refuse(403, "The person decides about their insurance in the wallet. You can check a plan by its member ID.");
}

const upper = (codes: readonly string[]) => codes.map((code) => code.toUpperCase());

function shapeProblems(deps: Deps, ask: HealthAsk): Problem[] {
  const required = (path: string, given: unknown): Problem[] =>
    given === undefined || (typeof given === "string" && given.trim() === "")
      ? [{ path: `body.${path}`, message: requiredWords }]
      : [];
  const problems = [...birthDateProblems(deps.clock, ask.birthDate)];
  if (ask.fullName !== undefined || ask.identityUuid === undefined) {
    problems.push(...required("fullName.firstName", ask.fullName?.firstName));
    problems.push(...required("fullName.lastName", ask.fullName?.lastName));
  }
  if (ask.identityUuid === undefined) problems.push(...required("birthDate", ask.birthDate));
  else if (ask.address !== undefined) {
    // A replaced address must be complete.
    for (const part of ["line1", "city", "state", "zipCode", "country"] as const)
      problems.push(...required(`address.${part}`, ask.address[part]));
  }
  if (ask.npi !== undefined && !isNpi(ask.npi)) problems.push({ path: "body.provider.npi", message: npiWords });
  if (ask.payer !== undefined && ask.payer.id === undefined && ask.payer.name === undefined)
    problems.push({ path: "body.payer", message: "Use an ID or a name." });
  for (const part of ["firstName", "lastName"] as const)
    if (isUnwritable(ask.fullName?.[part])) problems.push({ path: `body.fullName.${part}`, message: latinWords });
  if (ask.address?.state !== undefined && stateCodeOf(ask.address.state) === undefined)
    problems.push({ path: "body.address.state", message: "Use the two-letter code of a state of the United States." });
  if (ask.memberId !== undefined && memberIdOf(ask.memberId).length < memberIdMin)
    problems.push({ path: "body.memberId", message: "Use at least two letters or digits." });
  if (ask.memberId !== undefined && ask.payer === undefined)
    problems.push({ path: "body.payer", message: "This is required with memberId." });
  for (const [at, { code, qualifier }] of (ask.procedureCodes ?? []).entries()) {
    const pattern = codePatterns[qualifier ?? defaultQualifier] ?? otherCode;
    if (!pattern.test(code))
      problems.push({ path: `body.serviceCodes.procedureCodes.${at}.code`, message: "Use a code of its qualifier." });
  }
  return problems;
}

/** Given members override known ones. A known SSN is used only if the name and birth date are unchanged. */
function personOf(ask: HealthAsk, hydrated: Hydrated | null): InsuredPerson {
  const known = hydrated?.person ?? {};
  const edited = changedDetails(ask, hydrated).length > 0;
  const { ssn, firstName, middleName, lastName, ...rest } = known;
  const name = ask.fullName ?? { firstName, middleName, lastName };
  const person = {
    ...rest,
    ...name,
    ...(ask.birthDate === undefined ? {} : { birthDate: ask.birthDate }),
    ...(ask.sex === undefined ? {} : { sex: ask.sex }),
    ...(ask.ssn === undefined ? {} : { ssn: ask.ssn }),
  };
  const kept = ask.ssn === undefined && ssn !== undefined && !edited ? { ssn } : {};
  if (ask.address === undefined) return { ...person, ...kept };
  const { country: _always, ...address } = ask.address;
  return { ...person, ...kept, address: withStateCode(address) };
}

/** The details of the request that differ from the known ones. */
export function changedDetails({ fullName, birthDate }: HealthAsk, hydrated: Hydrated | null): NamedBy[] {
  const known = hydrated?.person ?? {};
  return [
    ...(fullName !== undefined && !same(fullName.firstName, known.firstName) ? (["firstName"] as const) : []),
    ...(fullName !== undefined && !same(fullName.lastName, known.lastName) ? (["lastName"] as const) : []),
    ...(birthDate !== undefined && birthDate !== known.birthDate ? (["birthDate"] as const) : []),
  ];
}

const same = (a: string, b: string | undefined) => a.trim().toLowerCase() === (b ?? "").trim().toLowerCase();

/** Requires a name and a birth date, because no payer can find a person without them. */
function withRequiredDetails(person: InsuredPerson): HealthQuestion["person"] {
  const { firstName, lastName, birthDate } = person;
  if (isUnwritable(firstName) || isUnwritable(lastName))
    throw invalid([{ path: "body.fullName", message: `${latinWords} The name of the 1-Click has none.` }]);
  if (firstName !== undefined && lastName !== undefined && birthDate !== undefined)
    return { ...person, firstName, lastName, birthDate };
  const missing = [
    ...(firstName === undefined || lastName === undefined ? ["fullName"] : []),
    ...(birthDate === undefined ? ["birthDate"] : []),
  ];
  throw invalid(
    missing.map((path) => ({ path: `body.${path}`, message: "This is required: the 1-Click does not contain it." })),
  );
}

/** The provider of the request, else the default of the settings, else the clearinghouse's own provider. */
function providerOf(deps: Deps, caller: Caller, npi: string | undefined): HealthQuestion["provider"] {
  const { providers } = caller.brand.settings.health;
  const { externalName } = caller.brand.settings;
  const listed = providers.map((one) => ({ npi: one.npi, name: one.name, type: one.type }));
  if (npi !== undefined) return listed.find((one) => one.npi === npi) ?? { npi, name: externalName };
  const at = providers.findIndex((one) => one.default === true);
  const chosen = listed[at] ?? listed[0] ?? deps.vendors.clearinghouse.provider;
  if (chosen === null)
    throw invalid([{ path: "body.provider.npi", message: "This is required: the brand's settings have no provider." }]);
  return chosen;
}

/** The details by which a payer finds a person. */
export type NamedBy = "firstName" | "lastName" | "birthDate";
/**
 * A person's data for a lookup. `sourced`: the details that a source verified. A detail that the person typed, or that an
 * issuer stored without checking it, may name a stranger.
 */
export type Hydrated = {
  personUuid: string;
  oneClickUuid: string;
  phone: Phone;
  person: InsuredPerson;
  sourced: NamedBy[];
  hasTypedBirthDate: boolean;
};

/**
 * Reads the person's data from the brand's released 1-Click. Throws OCE015 if it is unknown, not released, or expired.
 */
export async function hydrate(deps: Deps, caller: Caller, identityUuid: string): Promise<Hydrated> {
  const oneClick = await findOneClickForKey(deps, caller, identityUuid);
  if (oneClick === null || oneClick.state !== "released") throw fail("OCE015", {});
  const released = oneClick.facts.credentials.flatMap(({ values }) => values.slice(0, 1));
  const value = (type: CredentialType) => leafIn(released, type)?.value;
  const isSourced = (type: CredentialType) => {
    const method = leafIn(released, type)?.verificationMethod ?? null;
    // A state ID names its holder, who may not be the holder of the phone.
    return method !== null && method !== "self_attested" && method !== "government_id";
  };
  const addresses = released.filter(({ type }) => type === "AddressCredential");
  const inAddress = (type: CredentialType) => leafIn(addresses, type)?.value;
  const name = partsOf({
    firstName: value("FirstNameCredential"),
    middleName: value("MiddleNameCredential"),
    lastName: value("LastNameCredential"),
  });
  const parts = partsOf({
    line1: inAddress("Line1Credential"),
    line2: inAddress("Line2Credential"),
    city: inAddress("CityCredential"),
    state: inAddress("StateCredential"),
    zipCode: inAddress("ZipCodeCredential"),
  });
  const address = withStateCode(parts);
  const single = partsOf({
    birthDate: value("BirthDateCredential"),
    ssn: value("SsnCredential"),
    sex: value("SexCredential"),
  });
  return {
    personUuid: oneClick.personUuid,
    oneClickUuid: oneClick.uuid,
    phone: oneClick.facts.phone,
    person: { ...name, ...single, ...(Object.keys(address).length === 0 ? {} : { address }) },
    sourced: [
      ...(isSourced("FirstNameCredential") ? (["firstName"] as const) : []),
      ...(isSourced("LastNameCredential") ? (["lastName"] as const) : []),
      ...(isSourced("BirthDateCredential") ? (["birthDate"] as const) : []),
    ],
    hasTypedBirthDate: leafIn(released, "BirthDateCredential")?.verificationMethod === "self_attested",
  };
}

/** The address with the code of its state, because sources also write its name. */
function withStateCode<Address extends { state?: string }>(address: Address): Address {
  const { state } = address;
  return state === undefined ? address : { ...address, state: stateCodeOf(state) ?? state };
}

/** The first value of a type, at any level. */
function leafIn(credentials: readonly SourcedCredential[], type: CredentialType): Leaf | undefined {
  for (const one of credentials) {
    const found = "value" in one ? (one.type === type ? one : undefined) : leafIn(one.children, type);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Leaf = Extract<SourcedCredential, { value: string }>;

/** Omits members without a value. */
function partsOf<Key extends string>(parts: Record<Key, string | undefined>): Partial<Record<Key, string>> {
  const result: Partial<Record<Key, string>> = {};
  for (const key in parts) if (parts[key] !== undefined) result[key] = parts[key];
  return result;
}
