import { IdentityAnswer } from "@countersign/contract/identity-source";
import { guardOf } from "../json.ts";
import { conformanceAsker, type Finding, oldSeconds } from "../source-conformance.ts";
import { openVendor, type VendorTools } from "../vendor.ts";

/** A source under test, and two phones of the operator's test data. */
export type Tested = {
  url: string;
  secret: string;
  known: { phone: string; birthDate: string };
  unknownPhone: string;
};

const isAnswer = guardOf(IdentityAnswer);

/**
 * Sends this service's questions to an identity source. Returns which promises of docs/api/identity-source.json it
 * keeps.
 */
export async function checkIdentitySource(tested: Tested, tools: VendorTools): Promise<Finding[]> {
  const vendor = openVendor("identity_source", tools);
  const ask = conformanceAsker(tested, { vendor, tools, isAnswer });
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
    { promise: "a known phone is found, and the answer matches the schema", kept: answer?.kind === "found" },
    { promise: "the answer contains the requested phone", kept: answer?.phone === phone },
    { promise: "the answer lists what was compared", kept: compared.join() === "birthDate" },
    {
      promise: "a repeated request with the same key gets the same answer",
      kept: found.text !== "" && found.text === again.text,
    },
    { promise: "a wrong birth date gets `mismatch`", kept: mismatch.answer?.kind === "mismatch" },
    { promise: "an input that is not in `compare` is not compared", kept: narrowed.answer?.kind === "found" },
    { promise: "an unknown phone gets `unknown`", kept: unknown.answer?.kind === "unknown" },
    { promise: "an unsigned request gets 401", kept: unsigned.status === 401 },
    { promise: "a request with a forged signature gets 401", kept: forged.status === 401 },
    { promise: "a request with an old signature gets 401", kept: old.status === 401 },
  ];
}
