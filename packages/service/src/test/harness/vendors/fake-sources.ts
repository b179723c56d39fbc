import { isSigned } from "../../../providers/signature.ts";
import type { FakeTime } from "../fake-time.ts";
import { fakeVendor } from "./fake-vendor.ts";

export const secret = "source-secret-for-tests-of-32-letters";
export const knownPhone = "+16502530000";
export const birthDate = "1990-01-01";

const credential = (type: string, value: string) => ({
  type,
  value,
  issuanceDate: 1_700_000_000_000,
  verificationMethod: "credit_bureau",
});
export const credentials: object[] = [
  {
    type: "FullNameCredential",
    issuanceDate: 1_700_000_000_000,
    verificationMethod: "credit_bureau",
    children: [
      { type: "FirstNameCredential", value: "Ada" },
      { type: "LastNameCredential", value: "King" },
    ],
  },
  credential("BirthDateCredential", birthDate),
  credential("SsnCredential", "000-45-6789"),
];

/** A source that an operator could write for our contract. `twist` changes its answer. */
export async function fakeIdentitySource(time: FakeTime, twist: (answer: object) => object = (answer) => answer) {
  return await signedSource(time, (question) => {
    const { phone, inputs, compare } = question;
    if (phone !== knownPhone) return { phone, kind: "unknown" };
    const records: Record<string, string> = { birthDate, ssn4: "6789" };
    const given = compare.filter((input) => inputs[input] !== undefined);
    const wrong = given.filter((input) => inputs[input] !== records[input]);
    return twist(
      wrong.length > 0
        ? { phone, kind: "mismatch", inputs: wrong }
        : { phone, kind: "found", compared: given, credentials },
    );
  });
}

export async function fakeRiskSource(time: FakeTime, twist: (answer: object) => object = (answer) => answer) {
  const reasonCodes = ["OCR20004"];
  return await signedSource(time, ({ phone }) =>
    twist({
      phone,
      score: 120,
      reasonCodes: ["OCR10021"],
      signals: {
        phone: { carrier: { id: 1, name: "A carrier" }, reasonCodes },
        email: { reasonCodes: [] },
        deviceIp: { reasonCodes: [] },
      },
    }),
  );
}

type Question = { phone: string; inputs: Record<string, string>; compare: string[] };

/** Refuses unsigned requests, and answers a repeated request with its first answer. */
async function signedSource(time: FakeTime, answer: (question: Question) => object) {
  const answered = new Map<string, object>();
  return await fakeVendor(time, ({ headers, body }) => {
    const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    if (!isSigned({ headers: plain, body }, { secret, now: time.clock.now() })) return { status: 401 };
    const key = plain["idempotency-key"] ?? "";
    const said = answered.get(key) ?? answer(JSON.parse(body));
    answered.set(key, said);
    return { body: said };
  });
}
