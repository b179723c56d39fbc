import { hash } from "node:crypto";
import { type CredentialType, compositeChildren, credentialKey, ownIssuerUuid } from "@countersign/contract/credential";
import type { VerificationMethod } from "@countersign/contract/entity";
import { type ChallengeInput, challengeInputs, givenChallenges } from "@countersign/contract/errors";
import type { IdentitySource, PersonInputs, SourceAnswer, SourcedCredential } from "../../domain/ports.ts";
import { stableUuid } from "../stable-uuid.ts";
import { challengeAnswers, primaryPerson, type SandboxPerson, sandboxPeople, sandboxPerson } from "./people.ts";

/** Mock identity data: fixed test people by phone, and the primary person for every other phone. */
export function sandboxIdentity(): IdentitySource {
  return {
    issuerUuid: ownIssuerUuid,
    impossible(inputs, phone) {
      // Without a phone, a value may be correct for any of the people.
      const people = phone === undefined ? [undefined, ...Object.values(sandboxPeople)] : [sandboxPerson(phone)];
      // Anybody may have any first name.
      const given = valuesIn({ birthDate: inputs.birthDate, ssn4: inputs.ssn4 });
      return challengeInputs.filter(
        (input) => given.has(input) && !people.some((one) => same(given.get(input), challengeAnswers(one)[input])),
      );
    },
    lookUp: async ({ phone, inputs, compare, narrow }) => {
      const person = sandboxPerson(phone);
      return (
        refusal(person, { inputs, compare, narrow }) ?? { kind: "found", credentials: credentialsOf(phone, person) }
      );
    },
  };
}

/**
 * Returns the refusal, if there is one. A mismatch is reported before missing inputs. An unknown person has no records,
 * so no input can differ from them.
 */
function refusal(
  person: SandboxPerson | undefined,
  { inputs, compare, narrow }: { inputs: PersonInputs; compare: ChallengeInput[]; narrow: ChallengeInput[] },
): SourceAnswer | undefined {
  const needs = person?.needs ?? [];
  const given = valuesIn(inputs);
  if (person?.unknown) {
    const waits = needs.length > 0 && !needs.some((input) => given.has(input));
    return waits ? { kind: "needs", inputs: [...needs] } : { kind: "unknown" };
  }
  const answers = challengeAnswers(person);
  const compared = challengeInputs.filter((input) => given.has(input) && compare.includes(input));
  const right = compared.filter((input) => same(given.get(input), answers[input]));
  const wrong = compared.filter((input) => !right.includes(input));
  if (wrong.length > 0) return { kind: "mismatch", inputs: wrong };
  // An input in neither `compare` nor `narrow` must not identify a person. Otherwise guesses would cost no attempts.
  const helps = (input: ChallengeInput) => right.includes(input) || (narrow.includes(input) && given.has(input));
  if (needs.length > 0 && !needs.some(helps)) return { kind: "needs", inputs: [...needs] };
  return undefined;
}

const valuesIn = (inputs: PersonInputs) => new Map(givenChallenges(inputs).map(({ input, value }) => [input, value]));

function same(given: string | undefined, right: string): boolean {
  return given === right.toLowerCase();
}

/** The length of the part of an id that is the same for all credentials of a phone. */
const idHeadLength = "00000000-0000-4000-".length;

/** The credentials of a person, without the beginnings of their ids. They are built once, because only ids depend on a phone. */
const sourced = new Map<SandboxPerson | undefined, SourcedCredential[]>();

function credentialsOf(phone: string, person: SandboxPerson | undefined): SourcedCredential[] {
  const known = sourced.get(person) ?? credentialsOfPerson(person);
  sourced.set(person, known);
  return withIds(known, stableUuid(hash("sha256", phone, "hex")).slice(0, idHeadLength));
}

function withIds(credentials: readonly SourcedCredential[], head: string): SourcedCredential[] {
  return credentials.map((one) => {
    const id = head + one.id;
    return "value" in one ? { ...one, id } : { ...one, id, children: withIds(one.children, head) };
  });
}

function credentialsOfPerson(person: SandboxPerson | undefined): SourcedCredential[] {
  const { firstName, middleName, lastName, ssn, email, sex } = primaryPerson;
  const birthDate = person?.birthDate ?? primaryPerson.birthDate;
  const addresses = person?.address ? [person.address] : primaryPerson.addresses;
  const all = [
    composite("FullNameCredential", { firstName, middleName, lastName }, { method: "phone_carrier" }),
    atomic("EmailCredential", email, { method: null }),
    ...addresses.map((address, age) => composite("AddressCredential", address, { method: "credit_bureau", age })),
    atomic("BirthDateCredential", birthDate, { method: "phone_carrier" }),
    atomic("SsnCredential", ssn, { method: "phone_carrier" }),
    atomic("SexCredential", sex, { method: "phone_carrier" }),
  ];
  return all.filter(({ type }) => credentialKey(type) !== person?.without);
}

/** `age`: 0 is the newest value of its type. `parent`: the composite type that a child belongs to. */
type Origin = { method: VerificationMethod; age?: number; parent?: CredentialType };

function composite(
  type: keyof typeof compositeChildren,
  parts: Record<string, string | undefined>,
  origin: Origin,
): SourcedCredential {
  const children = compositeChildren[type].flatMap((child) => {
    const value = parts[credentialKey(child)];
    return value === undefined ? [] : [atomic(child, value, { ...origin, parent: type })];
  });
  return { ...detailsOf(type, origin), children };
}

function atomic(type: CredentialType, value: string, origin: Origin): SourcedCredential {
  return { ...detailsOf(type, origin), value };
}

/** Fixed times, newest first, so that the same question always gets the same bytes. */
const issuanceDates = [Date.UTC(2025, 0, 15, 12), Date.UTC(2021, 5, 1, 12), Date.UTC(2017, 8, 1, 12)];

function detailsOf(
  type: CredentialType,
  { method, age = 0, parent }: Origin,
): Omit<SourcedCredential, "value" | "children"> {
  const place = [parent ?? "", type, age].join("/");
  return {
    id: stableUuid(hash("sha256", place, "hex")).slice(idHeadLength),
    type,
    verificationMethod: method,
    status: "valid",
    issuerUuid: ownIssuerUuid,
    issuanceDate: issuanceDates[age] ?? 0,
    expirationDate: null,
  };
}
