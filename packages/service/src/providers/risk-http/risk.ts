import { RiskAnswer } from "@countersign/contract/risk-source";
import type { RiskScorer } from "../../domain/ports.ts";
import { guardOf } from "../json.ts";
import { callSource, type SourceSettings } from "../source-call.ts";
import { openVendor, type VendorTools } from "../vendor.ts";

const isAnswer = guardOf(RiskAnswer);

/** Scores from any source behind our contract (docs/api/risk-source.json). Throws if the source does not answer. */
export function httpRisk(settings: SourceSettings, tools: VendorTools): RiskScorer & { close(): Promise<void> } {
  const vendor = openVendor("risk_source", tools);
  return {
    async score({ deadlineMs, brandUuid: _notTold, ...question }) {
      const source = { settings, tools, vendor, name: "risk source" };
      const { score, reasonCodes, signals } = await callSource(source, question, { isAnswer, deadlineMs });
      return { score, reasonCodes, ...signals };
    },
    close: vendor.close,
  };
}
