import { randomUUID } from "node:crypto";
import { readObject } from "./json.ts";
import { signedHeaders } from "./signature.ts";
import { type Vendor, VendorFailure, type VendorTools } from "./vendor.ts";

export type SourceSettings = { url: string; secret: string };

/**
 * Sends a signed question to an operator's source. Throws unless the answer matches the contract and names the same
 * phone.
 */
export async function callSource<Answer extends { phone: string }>(
  source: { settings: SourceSettings; tools: VendorTools; vendor: Vendor; name: string },
  question: { phone: string },
  reading: { isAnswer(value: unknown): value is Answer; deadlineMs: number },
): Promise<Answer> {
  const { settings, tools, vendor, name } = source;
  const body = JSON.stringify(question);
  const answer = await vendor.call({
    operation: "ask",
    method: "POST",
    url: settings.url,
    headers: { ...signedHeaders(settings.secret, body, tools.clock.now()), "idempotency-key": randomUUID() },
    body,
    deadlineMs: reading.deadlineMs,
    repeats: "always",
  });
  if (answer.kind !== "answered") throw new VendorFailure(`${name}: ${answer.error}`);
  if (answer.status !== 200) throw new VendorFailure(`${name}: status ${answer.status}`);
  const said = readObject(answer.text);
  if (!reading.isAnswer(said)) throw new VendorFailure(`${name}: the answer does not match the schema`);
  // A source that confuses two people must not give one person's data to the other.
  if (said.phone !== question.phone) throw new VendorFailure(`${name}: the answer is about another phone`);
  return said;
}
