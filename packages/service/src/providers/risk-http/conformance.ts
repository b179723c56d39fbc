import { RiskAnswer } from "@countersign/contract/risk-source";
import { guardOf } from "../json.ts";
import type { SourceSettings } from "../source-call.ts";
import { conformanceAsker, type Finding, oldSeconds } from "../source-conformance.ts";
import { openVendor, type VendorTools } from "../vendor.ts";

const isAnswer = guardOf(RiskAnswer);
/** An email address and an IP address that are reserved for documentation. */
const [email, deviceIp] = ["conformance@example.com", "2001:db8::1"];

/** Sends this service's questions to a risk source. Returns which promises of docs/api/risk-source.json it keeps. */
export async function checkRiskSource(
  tested: SourceSettings & { phone: string },
  tools: VendorTools,
): Promise<Finding[]> {
  const vendor = openVendor("risk_source", tools);
  const ask = conformanceAsker(tested, { vendor, tools, isAnswer });
  const { phone } = tested;
  const whole = { phone, email, deviceIp };
  const [first, again] = [await ask(whole, { key: "conformance-1" }), await ask(whole, { key: "conformance-1" })];
  const bare = await ask({ phone });
  const unsigned = await ask(whole, { headers: { "countersign-signature": "" } });
  const forged = await ask(whole, { headers: { "countersign-signature": `v1=${"0".repeat(64)}` } });
  const old = await ask(whole, { ageSeconds: oldSeconds });
  await vendor.close();
  return [
    {
      promise: "a phone, an email and a device get a score, and the answer matches the schema",
      kept: first.answer !== null,
    },
    { promise: "the answer contains the requested phone", kept: first.answer?.phone === phone },
    { promise: "a phone alone gets a score", kept: bare.answer?.phone === phone },
    {
      promise: "a repeated request with the same key gets the same answer",
      kept: first.text !== "" && first.text === again.text,
    },
    { promise: "an unsigned request gets 401", kept: unsigned.status === 401 },
    { promise: "a request with a forged signature gets 401", kept: forged.status === 401 },
    { promise: "a request with an old signature gets 401", kept: old.status === 401 },
  ];
}
