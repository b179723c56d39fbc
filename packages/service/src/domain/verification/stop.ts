/**
 * Opt-out from texts: after a phone answers STOP, it gets no texts from brands or the service until it answers START.
 */
import { sql } from "kysely";
import type { Deps } from "../deps.ts";
import { type Failure, fail } from "../failure.ts";
import type { IncomingText, Phone } from "../ports.ts";

const stopWords = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"];
const startWords = ["START", "UNSTOP"];
/** Longest message that can be one of these words. */
const wordLengthMax = 40;
/** Messages remembered per phone, so that a repeated delivery of a message changes nothing. */
const heededMax = 20;

/** The effect of an incoming text. The gateway answers HELP itself; all other texts are ignored. */
export type Heeded = "stopped" | "started" | "ignored";

/** Applies an incoming text that is signed by its gateway. */
export async function takeIncomingText(deps: Deps, text: Extract<IncomingText, { kind: "text" }>): Promise<Heeded> {
  const judged = deps.phones.judge(text.from);
  const wish = wishOf(text.body);
  if (judged.kind !== "supported" || wish === null) return "ignored";
  const { environment, vault } = deps;
  const phoneIndex = vault.index("phone", environment, judged.phone);
  const message = vault.codeHash("incoming text", text.id);
  return await deps.db.inTransaction(async (trx) => {
    await trx
      .insertInto("text_stop")
      .values({ environment, phone_index: phoneIndex, stopped: false, at: deps.clock.now(), heeded: [] })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = await trx
      .selectFrom("text_stop")
      .select("heeded")
      .where("environment", "=", environment)
      .where("phone_index", "=", phoneIndex)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (row.heeded.some((one) => one.equals(message))) return "ignored";
    await trx
      .updateTable("text_stop")
      .set({
        stopped: wish === "stopped",
        at: deps.clock.now(),
        heeded: [...row.heeded, message].slice(-heededMax),
      })
      .where("environment", "=", environment)
      .where("phone_index", "=", phoneIndex)
      .execute();
    return wish;
  });
}

/** Records a STOP that only the gateway knows about. */
export async function noteStopped(deps: Deps, phone: Phone): Promise<void> {
  const { environment } = deps;
  const row = { stopped: true, at: deps.clock.now() };
  await deps.db
    .insertInto("text_stop")
    .values({ environment, phone_index: deps.vault.index("phone", environment, phone), heeded: [], ...row })
    .onConflict((conflict) => conflict.columns(["environment", "phone_index"]).doUpdateSet(row))
    .execute();
}

/** SQL condition on a message's row: the phone has not opted out of texts. */
export const isWelcome = sql`not exists (
  select from text_stop where text_stop.environment = record.environment and phone_index = record.to_index and stopped)`;

export const unwelcome = (): Failure => fail("OCV011", {}, "Sms not eligible.");

function wishOf(body: string): "stopped" | "started" | null {
  if (body.length > wordLengthMax) return null;
  const word = body.toUpperCase().replace(/[^A-Z]/g, "");
  if (stopWords.includes(word)) return "stopped";
  return startWords.includes(word) ? "started" : null;
}
