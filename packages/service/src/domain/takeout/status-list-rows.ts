/** The rows of `status_list`: which indexes were drawn, and the status of each. A list is shared by many people. */
import type { Deps } from "../deps.ts";

/** Statuses per list. Many people share a list, so an index reveals little about its person. */
export const listSize = 131_072;
/** After this many draws, a new list begins. Random draws stay fast, and indexes reveal no order. */
const drawnMax = listSize / 2;

type Store = Pick<Deps, "home" | "environment" | "clock" | "random">;
export type Drawn = { listUuid: string; indexes: number[] };

/** The bit of an index. Token Status List counts from the least significant bit of each byte. */
const has = (bits: Buffer, index: number) => (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
const set = (bits: Buffer, index: number) => {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
};

/** Draws unused indexes at random. If the caller fails, they stay unused. */
export async function drawIndexes(deps: Store, count: number): Promise<Drawn> {
  return await deps.home.inTransaction(async (trx) => {
    const newest = await trx
      .selectFrom("status_list")
      .select(["uuid", "drawn", "drawn_count"])
      .where("environment", "=", deps.environment)
      .orderBy("created_at", "desc")
      .orderBy("uuid")
      .limit(1)
      .forUpdate()
      .executeTakeFirst();
    const isUsable = newest !== undefined && newest.drawn_count + count <= drawnMax;
    const list = isUsable ? newest : { uuid: deps.random.uuid(), drawn: Buffer.alloc(listSize / 8), drawn_count: 0 };
    const drawn = Buffer.from(list.drawn);
    const indexes = Array.from({ length: count }, () => {
      let index = deps.random.integer(listSize);
      while (has(drawn, index)) index = deps.random.integer(listSize);
      set(drawn, index);
      return index;
    });
    const changed = { drawn, drawn_count: list.drawn_count + count };
    if (isUsable) await trx.updateTable("status_list").set(changed).where("uuid", "=", list.uuid).execute();
    else
      await trx
        .insertInto("status_list")
        .values({
          uuid: list.uuid,
          environment: deps.environment,
          statuses: Buffer.alloc(listSize / 8),
          created_at: deps.clock.now(),
          ...changed,
        })
        .execute();
    return { listUuid: list.uuid, indexes };
  });
}

/** Sets statuses to "invalid" permanently. Repeating it changes nothing. */
export async function setInvalid({ home }: Store, { listUuid, indexes }: Drawn): Promise<void> {
  await home.inTransaction(async (trx) => {
    const row = await trx
      .selectFrom("status_list")
      .select("statuses")
      .where("uuid", "=", listUuid)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    const statuses = Buffer.from(row.statuses);
    for (const index of indexes) set(statuses, index);
    await trx.updateTable("status_list").set({ statuses }).where("uuid", "=", listUuid).execute();
  });
}

/** The statuses of a list of this environment, one bit each. Null if there is none. */
export async function findStatuses({ home, environment }: Store, uuid: string): Promise<Buffer | null> {
  const row = await home
    .selectFrom("status_list")
    .select("statuses")
    .where("uuid", "=", uuid)
    .where("environment", "=", environment)
    .executeTakeFirst();
  return row?.statuses ?? null;
}
