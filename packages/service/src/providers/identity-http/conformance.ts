import { IdentityAnswer } from "@countersign/contract/identity-source";
import { guardOf } from "../json.ts";
import { conformanceAsker, type Finding, oldSeconds } from "../source-conformance.ts";
import { type Ground, openVendor } from "../vendor.ts";

/** A source under test, and two phones of the operator's test data. */
export type Tested = {
  url: string;
  secret: string;
  known: { phone: string; birthDate: string };
  unknownPhone: string;
};

const isAnswer = guardOf(IdentityAnswer);

/**
 * Asks an identity source what this service would ask it. Returns which promises of docs/api/identity-source.json it
 * keeps.
 */
export async function checkIdentitySource(tested: Tested, ground: Ground): Promise<Finding[]> {
  const vendor = openVendor("identity_source", ground);
  const ask = conformanceAsker(tested, { vendor, ground, isAnswer });
  const { phone, birthDate } = tested.known;
  const wrongDate = birthDate === "1950-05-05" ? "1951-06-06" : "1950-05-05";
  const question = { phone, inputs: { birthDate }, compare: ["birthDate"], narrow: [] };
  const [found, again] = [await ask(question, { key: "conformance-1" }), await ask(question, { key: "conformance-1" })];
  const mismatch = await ask({ ...question, inputs: { birthDate: wrongDate } });
  const narrowed = await ask({ ...question, inputs: { birthDate: wrongDate }, compare: [] });
  const unknown = await ask({ ...question, phone: tested.unknownPhone, inputs: {}, compare: [] });
  const unsigned = await ask(question, { headers: { "countersign-signature": "" } });
  const forged = await ask(question, { headers: { "countersign-signature": `v1=${"0".repeat(64)}` } });
  const old = await ask(question, { ageSeconds: oldSeconds });
  await vendor.close();
  const { answer } = found;
  const compared = answer?.kind === "found" ? answer.compared : [];
  return [
    { promise: "a known phone is found, in the contract's words", kept: answer?.kind === "found" },
    { promise: "the answer names the phone that was asked about", kept: answer?.phone === phone },
    { promise: "the answer says what was compared", kept: compared.join() === "birthDate" },
    {
      promise: "a repetition with the same key has the same answer",
      kept: found.text !== "" && found.text === again.text,
    },
    { promise: "a wrong birth date is a mismatch", kept: mismatch.answer?.kind === "mismatch" },
    { promise: "what is not to be compared is not compared", kept: narrowed.answer?.kind === "found" },
    { promise: "an unknown phone is unknown", kept: unknown.answer?.kind === "unknown" },
    { promise: "an unsigned question is refused with 401", kept: unsigned.status === 401 },
    { promise: "a forged signature is refused with 401", kept: forged.status === 401 },
    { promise: "an old signature is refused with 401", kept: old.status === 401 },
  ];
}
