import type { CheckAnswer, Clearinghouse } from "../../domain/ports.ts";
import type { CallAnswer } from "../call.ts";
import { type Json, listOf, readObject, textOf } from "../json.ts";
import { openVendor, type Vendor, VendorFailure, type VendorTools } from "../vendor.ts";
import { coveragesOf } from "./coverages.ts";

export type StediSettings = {
  apiUrl: string;
  apiKey: string;
  /** ISA06 and GS02 of the messages that are sent. */
  sender: string;
  mode: "test" | "production";
  provider: { npi: string; name: string } | null;
};

/** Delay between two polls of a pending discovery, milliseconds, and the maximum number of polls. */
const pollDelayMs = 2_000;
const pollsMax = 30;
const answerBytesMax = 4 * 1024 * 1024;
/** Temporary rejections by payers (X12 AAA03). */
const temporaryRejections = ["42", "79", "80"];
/** Words of the follow-up actions (AAA04) that forbid another question, or ask to wait for days. */
const forbids = /not allowed|do not resubmit|please wait/i;

/**
 * Eligibility checks and discovery by Stedi. Every call costs money, so this adapter does not retry. It returns a
 * temporary failure to the caller, which has recorded the call and decides. Throws if the answer was lost.
 */
export function stediClearinghouse(
  settings: StediSettings,
  tools: VendorTools,
): Clearinghouse & { close(): Promise<void> } {
  const vendor = openVendor("stedi", tools);
  const post = (operation: string, path: string, body: object, deadlineMs: number) =>
    vendor.call({
      operation,
      method: "POST",
      url: `${settings.apiUrl}${path}`,
      headers: { ...headersOf(settings), "content-type": "application/json" },
      body: JSON.stringify(body),
      deadlineMs,
      repeats: "never",
      bytesMax: answerBytesMax,
    });
  return {
    provider: settings.provider,
    envelope: { sender: settings.sender, receiver: "STEDI", usage: settings.mode === "test" ? "T" : "P" },
    async check({ x12, deadlineMs }) {
      return readCheck(await post("check", "/change/medicalnetwork/eligibility/v3/raw-x12", { x12 }, deadlineMs));
    },
    async discover({ person, npi, payerIds, deadlineMs }) {
      const endsAt = tools.clock.now() + deadlineMs;
      const { firstName, middleName, lastName, birthDate, sex, ssn, address } = person;
      const gender = sex === "Male" ? "M" : sex === "Female" ? "F" : undefined;
      const subscriber = {
        firstName,
        middleName,
        lastName,
        dateOfBirth: birthDate?.replaceAll("-", ""),
        gender,
        ssn: ssn?.replace(/\D/g, ""),
        address: address && {
          address1: address.line1,
          address2: address.line2,
          city: address.city,
          state: address.state,
          postalCode: address.zipCode,
        },
      };
      const body = { provider: { npi }, subscriber, encounter: {} };
      const first = await post("discover", "/insurance-discovery/check/v1", body, deadlineMs);
      const refusal = refusalOf(first);
      if (refusal !== null) return refusal;
      const done = await completed({ settings, vendor, tools, endsAt }, readAnswer(first));
      if (textOf(done, "status") !== "COMPLETE") return { kind: "failed", retryable: false };
      return { kind: "found", coverages: coveragesOf(listOf(done, "items"), { person, payerIds }) };
    },
    close: vendor.close,
  };
}

export function headersOf({ apiKey }: { apiKey: string }): Record<string, string> {
  return { authorization: apiKey, accept: "application/json" };
}

/** The refusal of a call that did nothing; null if there is an answer. Throws if the result is unknown. */
function refusalOf(answer: CallAnswer): { kind: "failed"; retryable: boolean } | null {
  if (answer.kind === "notSent") return { kind: "failed", retryable: true };
  if (answer.kind === "unknown") throw new VendorFailure(`stedi: ${answer.error}`);
  const { status } = answer;
  // After a gateway error, the vendor may have done the work and charged for it.
  if (status === 502 || status === 504) throw new VendorFailure(`stedi: status ${status}`);
  if (status === 429 || status >= 500) return { kind: "failed", retryable: true };
  return status === 200 || status === 400 ? null : { kind: "failed", retryable: false };
}

function readAnswer(answer: CallAnswer): Json {
  const body = answer.kind === "answered" ? readObject(answer.text) : null;
  if (body === null) throw new VendorFailure("stedi: the response is not a JSON object");
  return body;
}

/** Reads a check. A payer's rejection has status 200 or 400, with or without the payer's own answer in `x12`. */
function readCheck(answer: CallAnswer): CheckAnswer {
  const refusal = refusalOf(answer);
  if (refusal !== null) return refusal;
  const body = readAnswer(answer);
  const x12 = textOf(body, "x12");
  if (x12 !== null) return { kind: "answered", x12 };
  const errors = listOf(body, "errors");
  const codes = errors.map(({ code }) => code);
  const isRefused = answer.kind === "answered" && answer.status === 400;
  if (codes.length === 0 && !isRefused) throw new VendorFailure("stedi: the result has no payer response");
  return {
    kind: "failed",
    retryable:
      codes.some((code) => typeof code === "string" && temporaryRejections.includes(code)) &&
      !errors.some(({ followupAction }) => typeof followupAction === "string" && forbids.test(followupAction)),
  };
}

/** Polls a discovery until it is complete. Polling is free. */
async function completed(
  options: { settings: StediSettings; vendor: Vendor; tools: VendorTools; endsAt: number },
  first: Json,
): Promise<Json> {
  const { settings, vendor, tools, endsAt } = options;
  const id = textOf(first, "discoveryId") ?? "";
  let state = first;
  for (let polls = 0; textOf(state, "status") === "PENDING"; polls += 1) {
    const remainingMs = endsAt - tools.clock.now() - pollDelayMs;
    if (polls >= pollsMax || remainingMs <= 0 || !/^[\w-]{1,100}$/.test(id))
      throw new VendorFailure("stedi: the discovery did not end in time");
    await tools.timer.pause(pollDelayMs);
    const answer = await vendor.call({
      operation: "discovery-result",
      method: "GET",
      url: `${settings.apiUrl}/insurance-discovery/check/v1/${id}`,
      headers: headersOf(settings),
      deadlineMs: remainingMs,
      repeats: "always",
      bytesMax: answerBytesMax,
    });
    if (answer.kind !== "answered" || answer.status !== 200)
      throw new VendorFailure("stedi: the discovery was not found");
    state = readAnswer(answer);
  }
  return state;
}
