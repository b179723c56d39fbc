import { isTemporary, readCheck } from "../answer.ts";
import { rejectionText } from "./codes.ts";
import { type Eligibility, read271, readAnswer } from "./eligibility.ts";
import type { SoughtPatient } from "./patient.ts";
import { decodeX12 } from "./segments.ts";
import { X12Error } from "./x12-error.ts";

/** A question whose answer is read. */
export type AskedQuestion = SoughtPatient & { lastName: string };

/**
 * The content of a file as one line of JSON: the parsed 271, or the kind of error. With a question, also what the
 * service makes of the answer.
 */
export function x12Line(file: string, bytes: Uint8Array, asked?: AskedQuestion): string {
  try {
    if (asked === undefined) {
      const { eligibility, rejections } = read271(bytes);
      return JSON.stringify({ file, eligibility, ...(rejections.length === 0 ? {} : { rejections }) });
    }
    return JSON.stringify({ file, ...answerTo(bytes, asked) });
  } catch (error) {
    if (!(error instanceof X12Error)) throw error;
    return JSON.stringify({ file, error: { kind: error.kind, message: error.message } });
  }
}

type Outcome = "plan" | "withheld" | "rejected";
type MeantRejection = Eligibility["rejections"][number] & { meaning: string };

function answerTo(
  bytes: Uint8Array,
  { trace = "", ...asked }: AskedQuestion,
): { eligibility: Eligibility["eligibility"]; outcome: Outcome; rejections: MeantRejection[]; isTemporary: boolean } {
  const { eligibility, rejections } = readAnswer(bytes, { ...asked, ...(trace === "" ? {} : { trace }) }).read;
  const answer = { kind: "answered" as const, x12: decodeX12(bytes) };
  const { kind } = readCheck(answer, asked, trace);
  return {
    eligibility,
    outcome: kind === "plan" || kind === "withheld" ? kind : "rejected",
    rejections: rejections.map((one) => ({ ...one, meaning: rejectionText(one.code) })),
    isTemporary: isTemporary(answer),
  };
}
