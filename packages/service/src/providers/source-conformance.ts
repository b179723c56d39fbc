import { readObject } from "./json.ts";
import { signedHeaders } from "./signature.ts";
import type { SourceSettings } from "./source-call.ts";
import type { Vendor, VendorTools } from "./vendor.ts";

/** One promise of a source's contract, and whether the source under test keeps it. */
export type Finding = { promise: string; kept: boolean };

const deadlineMs = 10_000;
/** The age of a signature that is one second too old. */
export const oldSeconds = 301;

type Spoiled = { key?: string; headers?: Record<string, string>; ageSeconds?: number };
type Said<Answer> = { status: number; text: string; answer: Answer | null };

/** Asks a source under test as this service does, or with one deliberate mistake. */
export function conformanceAsker<Answer>(
  tested: SourceSettings,
  options: { vendor: Vendor; tools: VendorTools; isAnswer(value: unknown): value is Answer },
): (question: object, spoiled?: Spoiled) => Promise<Said<Answer>> {
  const { vendor, tools, isAnswer } = options;
  let questions = 0;
  return async (question, spoiled = {}) => {
    questions += 1;
    const body = JSON.stringify(question);
    const now = tools.clock.now() - (spoiled.ageSeconds ?? 0) * 1_000;
    const headers = {
      ...signedHeaders(tested.secret, body, now),
      "idempotency-key": spoiled.key ?? `conformance-other-${questions}`,
      ...spoiled.headers,
    };
    const call = { operation: "conformance", method: "POST" as const, url: tested.url, headers, body, deadlineMs };
    const returned = await vendor.call({ ...call, repeats: "never" });
    if (returned.kind !== "answered") return { status: 0, text: "", answer: null };
    const value = returned.status === 200 ? readObject(returned.text) : null;
    return { status: returned.status, text: returned.text, answer: isAnswer(value) ? value : null };
  };
}
