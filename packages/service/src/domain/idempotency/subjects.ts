import type { Trx } from "../../store/database.ts";

/** The verifications of a person. */
export async function listVerificationsOf(trx: Trx, personUuid: string): Promise<string[]> {
  const rows = await trx.selectFrom("verification").select("uuid").where("person_uuid", "=", personUuid).execute();
  return rows.map(({ uuid }) => uuid);
}
