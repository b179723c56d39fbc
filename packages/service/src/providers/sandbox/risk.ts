import type { RiskJudgment, RiskScorer } from "../../domain/ports.ts";
import { type SandboxRisk, sandboxPerson } from "./people.ts";

/** Fixed judgments by phone. Unlisted phones are benign. */
export function sandboxRisk(): RiskScorer {
  return { score: async ({ phone }) => structuredClone(sandboxJudgments[sandboxPerson(phone)?.risk ?? "benign"]) };
}

const safePhone = {
  carrier: { id: 0, name: "Example Carrier" },
  reasonCodes: ["OCR20004", "OCR20005", "OCR20007", "OCR20101"],
};
const riskyPhone = {
  carrier: { id: 1, name: "Risky Carrier" },
  reasonCodes: ["OCR20009", "OCR20107", "OCR21012", "OCR21003"],
};
const safeEmail = { reasonCodes: ["OCR60001", "OCR60002"] };
const riskyEmail = { reasonCodes: ["OCR60006"] };
/** The address belongs to the device instead of the phone, so it is the same for all fixed test people. */
const deviceIp = { reasonCodes: ["OCR50001", "OCR50002"] };

const safe = (score: number, reasonCode: string): RiskJudgment => ({
  score,
  reasonCodes: [reasonCode],
  phone: safePhone,
  email: safeEmail,
  deviceIp,
});
const risky = (score: number, reasonCode: string): RiskJudgment => ({
  score,
  reasonCodes: [reasonCode],
  phone: riskyPhone,
  email: riskyEmail,
  deviceIp,
});

/** The judgments, by the names in the table of people. */
export const sandboxJudgments: Readonly<Record<SandboxRisk, RiskJudgment>> = {
  benign: safe(0, "OCR10021"),
  mediumLow: safe(301, "OCR10020"),
  medium: safe(500, "OCR10030"),
  mediumHigh: risky(775, "OCR10031"),
  high: risky(999, "OCR10032"),
};
