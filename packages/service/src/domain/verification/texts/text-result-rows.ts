/**
 * Every statement about the table `text_result`: how many texts each carrier delivered on a day. It has counts only, so
 * that nothing leads from a count to a phone.
 */
import { dayMs } from "@countersign/contract/time";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../../store/database.ts";
import { deleteInBatches } from "../../../store/statements/deletes.ts";
import { type ColumnPlaceholders, columnsIn, columnsOf, insertedValues } from "../../../store/statements/rows.ts";
import { statement } from "../../../store/statements/statement.ts";
import type { Tables } from "../../../store/statements/tables.ts";
import type { Deps } from "../../deps.ts";

type Stored = Selectable<Tables["text_result"]>;
/** The result of one text, in a gateway's words. */
export type TextOutcome = Pick<Stored, "outcome"> & { carrier?: string | undefined; reason?: string | undefined };

/** How long the counts can be read. */
export const textResultsKeptMs = 30 * dayMs;

const carrierForm = /^[\p{L}\p{N}][\p{L}\p{N} .&'()+-]{0,39}$/u;
const reasonForm = /^[\w .:-]{1,60}$/;
/** A gateway's words with so many digits could contain a phone, or a new id for each text. */
const manyDigits = /\d\D?\d\D?\d\D?\d\D?\d\D?\d/;
/** For a reason that does not have this form. */
const otherReason = "other";

const wordOf = (word: string | undefined, form: RegExp, other: string) =>
  word === undefined ? "" : form.test(word) && !manyDigits.test(word) ? word : other;

/** How long counts wait, milliseconds. Many texts share one row, and each write of it is a commit. */
const writeAfterMs = 250;
/** The counts of each cell that are not written yet. A crash loses them. */
const waiting = new WeakMap<Database, Map<string, Stored>>();

/** Counts results of today. They are written later, in the background. */
export function countTextResults({ environment, clock, db, vendors }: Deps, all: readonly TextOutcome[]): void {
  const known = waiting.get(db);
  const rows = known ?? new Map<string, Stored>();
  const day = Math.floor(clock.now() / dayMs) * dayMs;
  const { route } = vendors.sms;
  for (const { outcome, carrier, reason } of all) {
    const names = {
      carrier: wordOf(carrier, carrierForm, ""),
      reason: outcome === "failed" ? wordOf(reason, reasonForm, otherReason) : "",
    };
    const key = JSON.stringify([environment, day, route, names.carrier, outcome, names.reason]);
    const texts = (rows.get(key)?.texts ?? 0) + 1;
    rows.set(key, { environment, day, route, ...names, outcome, texts });
  }
  if (known !== undefined || rows.size === 0) return;
  waiting.set(db, rows);
  // A missing count makes a figure of the console slightly too low.
  setTimeout(() => void writeTextResults(db).catch(() => {}), writeAfterMs).unref();
}

/** Writes the counts of a cell now, such as before the process ends. */
export async function writeTextResults(db: Database): Promise<void> {
  const rows = waiting.get(db);
  if (rows === undefined) return;
  waiting.delete(db);
  // In one order, to avoid deadlocks.
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await countStatement(db, columnsOf("result", types, sorted));
}

const names = ["environment", "day", "route", "carrier", "outcome", "reason"] as const;
const types = columnsIn("text_result", [...names, "texts"]);
const countStatement = statement((db, columns: ColumnPlaceholders) =>
  db
    .insertInto("text_result")
    .values(insertedValues("result", types, columns))
    .onConflict((conflict) =>
      conflict.columns(names).doUpdateSet({ texts: sql<number>`text_result.texts + excluded.texts` }),
    ),
);

export async function deleteTextResults(db: Database, environment: string, before: number): Promise<number> {
  return await deleteInBatches(db, "text_result", sql`environment = ${environment} and day < ${before}`);
}
