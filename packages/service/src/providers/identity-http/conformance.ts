import { IdentityAnswer } from "@countersign/contract/identity-source";
import { guardOf, readObject } from "../json.ts";
import { signedHeaders } from "../signature.ts";
import { type Ground, openVendor, type Vendor } from "../vendor.ts";

/** A source under test, and two phones of the operator's test data. */
export type Tested = {
  url: string;
  secret: string;
  known: { phone: string; birthDate: string };
  unknownPhone: string;
};
export type Finding = { promise: string; kept: boolean };

const isAnswer = guardOf(IdentityAnswer);
const deadlineMs = 10_000;
const oldSeconds = 301;

/** Asks a source what this service would ask it, and says which promises of docs/api/identity-source.json it keeps. */
export async function checkIdentitySource(tested: Tested, ground: Ground): Promise<Finding[]> {
  const vendor = openVendor("identity_source", ground);
  const ask = asker(tested, { vendor, ground });
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

type Spoiled = { key?: string; headers?: Record<string, string>; ageSeconds?: number };

function asker(tested: Tested, { vendor, ground }: { vendor: Vendor; ground: Ground }) {
  let questions = 0;
  return async (question: object, spoiled: Spoiled = {}) => {
    questions += 1;
    const body = JSON.stringify(question);
    const now = ground.clock.now() - (spoiled.ageSeconds ?? 0) * 1_000;
    const headers = {
      ...signedHeaders(tested.secret, body, now),
      "idempotency-key": spoiled.key ?? `conformance-other-${questions}`,
      ...spoiled.headers,
    };
    const call = { operation: "conformance", method: "POST" as const, url: tested.url, headers, body, deadlineMs };
    const said = await vendor.call({ ...call, repeats: "never" });
    if (said.kind !== "answered") return { status: 0, text: "", answer: null };
    const value = said.status === 200 ? readObject(said.text) : null;
    return { status: said.status, text: said.text, answer: isAnswer(value) ? value : null };
  };
}
