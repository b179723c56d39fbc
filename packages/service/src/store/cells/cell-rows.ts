/** The rows of `cell`: all cells except cell 0, with their addresses. */
import { sql } from "kysely";
import type { Home, HomeTrx } from "../database.ts";
import { announceChange } from "../signals.ts";
import type { DataKey, Vault } from "../vault.ts";

/**
 * A cell: its number, its address (a connection string with the schema in its search path), and its slots of phones,
 * from `from` up to but not including `to`. It stores new people from `opensAt` on, in milliseconds of the real clock.
 */
export type CellEntry = { number: number; address: string; from: number; to: number; opensAt: number };

/** Phones are divided into this many slots. */
export const slotsMax = 4_096;
const place = (number: number) => ({ table: "cell", row: String(number) });

export async function insertCell(vault: Vault, trx: HomeTrx, dataKey: DataKey, cell: CellEntry): Promise<void> {
  const { number, address, from, to, opensAt } = cell;
  const sealed = vault.seal(dataKey, place(number), { address });
  await trx
    .insertInto("cell")
    .values({ number, data_key_uuid: dataKey.uuid, sealed, slot_from: from, slot_to: to, opens_at: opensAt })
    .execute();
}

/** Changes where a cell is. Its key stays. */
export async function setCellAddress(
  vault: Vault,
  trx: HomeTrx,
  { number, address }: Pick<CellEntry, "number" | "address">,
) {
  const { data_key_uuid, wrapped } = await trx
    .selectFrom("cell")
    .innerJoin("data_key", "data_key.uuid", "cell.data_key_uuid")
    .select(["cell.data_key_uuid", "data_key.wrapped"])
    .where("cell.number", "=", number)
    .executeTakeFirstOrThrow();
  const sealed = vault.seal(vault.openDataKey(data_key_uuid, wrapped), place(number), { address });
  await trx.updateTable("cell").set({ sealed }).where("number", "=", number).execute();
}

/** Whether any cell is listed. False for an empty database. */
export async function areCellsListed(home: Home): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('cell') is not null as exists`.execute(home);
  if (rows[0]?.exists !== true) return false;
  return (await home.selectFrom("cell").select("number").limit(1).execute()).length > 0;
}

/** All cells, by number. */
export async function listCells(vault: Vault, home: Home | HomeTrx): Promise<CellEntry[]> {
  const rows = await home
    .selectFrom("cell")
    .innerJoin("data_key", "data_key.uuid", "cell.data_key_uuid")
    .selectAll("cell")
    .select("data_key.wrapped")
    .orderBy("cell.number")
    .execute();
  return rows.map(({ number, data_key_uuid, wrapped, sealed, slot_from, slot_to, opens_at }) => {
    const key = vault.openDataKey(data_key_uuid, wrapped);
    const { address } = vault.open<{ address: string }>(key, place(number), sealed);
    return { number, address, from: slot_from, to: slot_to, opensAt: opens_at };
  });
}

/** The percentage of all slots that cell 0 still has. */
export function shareLeft(cells: readonly CellEntry[]): number {
  return Math.floor(((slotsMax - lastSlot(cells)) * 100) / slotsMax);
}

/** The number and the slots of a new cell. Only cell 0 gives up slots. Null if it has too few. */
export function nextCell(cells: readonly CellEntry[], share: number): Pick<CellEntry, "number" | "from" | "to"> | null {
  const from = lastSlot(cells);
  const to = from + Math.max(1, Math.round((slotsMax * share) / 100));
  return to > slotsMax ? null : { number: 1 + Math.max(0, ...cells.map(({ number }) => number)), from, to };
}

const lastSlot = (cells: readonly CellEntry[]) => Math.max(0, ...cells.map(({ to }) => to));

/** Locks the list, so that two new cells cannot get the same slots. Readers do not wait. */
export async function lockCells(trx: HomeTrx): Promise<void> {
  await sql`lock table cell in share row exclusive mode`.execute(trx);
}

/** Notifies every process on commit that it must read the list again. */
export async function announceCells(trx: HomeTrx): Promise<void> {
  await sql.raw(announceChange).execute(trx);
}
