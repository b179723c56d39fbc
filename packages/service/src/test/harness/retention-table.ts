/**
 * How long each table keeps personal data, taken from the code. Tests compare the document and the database with this
 * table.
 */

import { dayMs } from "@countersign/contract/time";
import { accountSessionMs } from "../../domain/account/session.ts";
import { healthLifeMs } from "../../domain/health/lookup.ts";
import { answerKeptMs } from "../../domain/idempotency/answer.ts";
import { mailKeptMs } from "../../domain/member/mail.ts";
import { challengeLifeMs } from "../../domain/member/passkey.ts";
import { sessionLifeMs as memberSessionMs } from "../../domain/member/session.ts";
import { signInKeptMs } from "../../domain/member/sign-in.ts";
import { mailCodeLifeMs } from "../../domain/one-time-code.ts";
import { logKeptMs } from "../../domain/reporting/log.ts";
import { startKeptMs } from "../../domain/retention/sweep.ts";
import { sweepResultsKeptMs } from "../../domain/retention/sweep-result-rows.ts";
import { sdkSessionLifeMs } from "../../domain/session/make.ts";
import { challengeAllBrandsWindowMs } from "../../domain/signup/challenges.ts";
import { oneClickLifeMs } from "../../domain/signup/one-click.ts";
import { presentationLifeMs } from "../../domain/signup/page/presentation.ts";
import { stateIdLifeMs } from "../../domain/state-id/ask.ts";
import { copyLifeMs } from "../../domain/takeout/keys.ts";
import { nonceLifeMs } from "../../domain/takeout/nonce.ts";
import { offerLifeMs, tokenLifeMs } from "../../domain/takeout/offer.ts";
import { alarmKeptMs } from "../../domain/verification/limits/conversion-alarm-rows.ts";
import { countKeptMs } from "../../domain/verification/limits/use-count-rows.ts";
import { textResultsKeptMs } from "../../domain/verification/texts/text-result-rows.ts";
import { verificationKeptMs } from "../../domain/verification/verification.ts";
import { deliveredKeptMs } from "../../domain/webhook/delivery-rows.ts";

/** Hourly sweeps remove rows within an hour after their time. */
export const hourMs = 60 * 60_000;
const sealedUnderOwnKey = (table: string, ...columns: string[]) =>
  `select count(*)::int as count from ${table} t join data_key k on k.uuid = t.data_key_uuid
    where k.wrapped is not null and (${columns.map((column) => `t.${column} is not null`).join(" or ")})`;
const rowsOf = (table: string, which = "true") => `select count(*)::int as count from ${table} where ${which}`;

/** `ms`: the documented time. `slackMs`: how much later the last data may go. `count`: a query that counts the rest. */
export type Kept = { ms: number; slackMs?: number; count: string };
/** `readable`: the encrypted data. `row`: the row itself. */
export type Retention = { readable?: Kept; row?: Kept };
const row = (table: string, ms: number, more: { slackMs?: number; which?: string } = {}): Kept => ({
  ms,
  slackMs: more.slackMs ?? 0,
  count: rowsOf(table, more.which),
});
const both = (table: string, ms: number, slackMs = 0): Retention => ({
  readable: { ms, slackMs, count: sealedUnderOwnKey(table, "sealed") },
  row: row(table, ms, { slackMs }),
});

/** Tables with data that expires after some time. */
export const endsInTime: Record<string, Retention> = {
  account_session: { row: row("account_session", accountSessionMs) },
  challenge_attempt: { row: row("challenge_attempt", challengeAllBrandsWindowMs, { slackMs: hourMs }) },
  conversion_alarm: { row: row("conversion_alarm", alarmKeptMs, { slackMs: hourMs }) },
  health_lookup: {
    readable: { ms: healthLifeMs, count: sealedUnderOwnKey("health_lookup", "sealed", "sealed_result") },
  },
  health_call: { row: row("health_call", healthLifeMs) },
  idempotent_answer: both("idempotent_answer", answerKeptMs),
  mail: both("mail", mailKeptMs, hourMs),
  member_session: { row: row("member_session", memberSessionMs, { slackMs: hourMs }) },
  message: both("message", verificationKeptMs),
  one_click: { readable: { ms: oneClickLifeMs, count: sealedUnderOwnKey("one_click", "sealed") } },
  openid_artifact: { row: row("openid_artifact", oneClickLifeMs) },
  passkey_challenge: { row: row("passkey_challenge", challengeLifeMs, { slackMs: hourMs }) },
  presentation: { row: row("presentation", presentationLifeMs) },
  state_id_request: { row: row("state_id_request", stateIdLifeMs) },
  request_log: { row: row("request_log", logKeptMs, { slackMs: hourMs, which: "at < $1" }) },
  risk_sighting: { row: row("risk_sighting", dayMs, { slackMs: hourMs }) },
  session: both("session", sdkSessionLifeMs),
  sign_in: { row: row("sign_in", signInKeptMs, { slackMs: mailCodeLifeMs + hourMs }) },
  sweep_result: { row: row("sweep_result", sweepResultsKeptMs, { slackMs: hourMs, which: "day <= $1" }) },
  takeout: {
    readable: { ms: offerLifeMs + tokenLifeMs, count: sealedUnderOwnKey("takeout", "sealed") },
    row: row("takeout", copyLifeMs),
  },
  takeout_nonce: { row: row("takeout_nonce", nonceLifeMs) },
  text_result: { row: row("text_result", textResultsKeptMs, { slackMs: hourMs, which: "day <= $1" }) },
  text_stop: { row: row("text_stop", startKeptMs, { slackMs: hourMs, which: "not stopped" }) },
  use_count: { row: row("use_count", countKeptMs, { slackMs: hourMs }) },
  verification: both("verification", verificationKeptMs),
  webhook_delivery: {
    readable: { ms: deliveredKeptMs, count: sealedUnderOwnKey("webhook_delivery", "sealed") },
  },
};

/** Returns a time as the document writes it. */
export function inWords(ms: number): string {
  const units: [number, string][] = [
    [2 * 24 * 60 * 60_000, "day"],
    [2 * 60 * 60_000, "hour"],
    [60_000, "minute"],
  ];
  const [, unit = "minute"] = units.find(([least]) => ms >= least) ?? [];
  const size = unit === "day" ? 24 * 60 * 60_000 : unit === "hour" ? 60 * 60_000 : 60_000;
  const count = ms / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
