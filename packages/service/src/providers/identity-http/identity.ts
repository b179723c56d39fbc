import { type ChallengeInput, givenChallenges } from "@countersign/contract/errors";
import { IdentityAnswer, type IdentityQuestion } from "@countersign/contract/identity-source";
import type { IdentitySource, SourceAnswer, SourcedCredential } from "../../domain/ports.ts";
import { guardOf } from "../json.ts";
import { callSource, type SourceSettings } from "../source-call.ts";
import { openVendor, VendorFailure, type VendorTools } from "../vendor.ts";
import { sourced } from "./credentials.ts";

export type IdentityHttpSettings = SourceSettings & {
  /** The issuer of the values from this source. */
  issuerUuid: string;
};

const isAnswer = guardOf(IdentityAnswer);
const name = "identity source";

/** Identity data from any source behind our contract (docs/api/identity-source.json). */
export function httpIdentity(
  settings: IdentityHttpSettings,
  tools: VendorTools,
): IdentitySource & { close(): Promise<void> } {
  const vendor = openVendor("identity_source", tools);
  return {
    issuerUuid: settings.issuerUuid,
    // Only the source can tell which inputs are impossible.
    impossible: () => [],
    async lookUp({ phone, inputs, compare, narrow, deadlineMs }) {
      const { deviceIp: _notItsBusiness, ...told } = inputs;
      const question: IdentityQuestion = { phone, inputs: told, compare, narrow };
      const answer = await callSource({ settings, tools, vendor, name }, question, { isAnswer, deadlineMs });
      const given = givenChallenges(inputs).filter(({ input }) => compare.includes(input));
      if (answer.kind === "unknown") return { kind: "unknown" };
      if (answer.kind === "needs") return { kind: "needs", inputs: answer.inputs };
      if (answer.kind === "mismatch") {
        if (!answer.inputs.every((input) => given.some((one) => one.input === input)))
          throw new VendorFailure(`${name}: a mismatch in an input that was not to be compared`);
        return { kind: "mismatch", inputs: answer.inputs };
      }
      // Reject a source that compared less than it was asked to. Otherwise guesses would pass.
      if (!given.every(({ input }) => answer.compared.includes(input)))
        throw new VendorFailure(`${name}: not every input was compared`);
      const credentials = answer.credentials.map((one) => sourced(one, { ...settings, phone, path: "" }));
      return checkedAnswer(credentials, { phone, given });
    },
    close: vendor.close,
  };
}

function checkedAnswer(
  credentials: (SourcedCredential | null)[],
  question: { phone: string; given: ReturnType<typeof givenChallenges> },
): SourceAnswer {
  const valid = credentials.filter((one) => one !== null);
  if (valid.length < credentials.length) throw new VendorFailure(`${name}: a credential has children of another type`);
  const valuesOf = (type: string) => valid.flatMap((one) => (one.type === type && "value" in one ? [one.value] : []));
  if (valuesOf("PhoneCredential").some((phone) => phone !== question.phone))
    throw new VendorFailure(`${name}: the data is about another phone`);
  // Compare again here where possible, instead of trusting only the source.
  const recorded: Record<ChallengeInput, string[]> = {
    birthDate: valuesOf("BirthDateCredential"),
    ssn4: valuesOf("SsnCredential").map((value) => value.slice(-4)),
    // Only the source knows which spellings of a name are the same.
    "fullName.firstName": [],
  };
  const differs = question.given.filter(
    ({ input, value }) => recorded[input].length > 0 && !recorded[input].includes(value),
  );
  return differs.length > 0
    ? { kind: "mismatch", inputs: differs.map(({ input }) => input) }
    : { kind: "found", credentials: valid };
}
