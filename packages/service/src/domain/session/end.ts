import type { Deps } from "../deps.ts";
import { findPersonKey } from "../person-rows.ts";
import { deleteSessionsOf, type SessionsOf } from "./session-rows.ts";

/**
 * Ends the sessions that contain a person's phone, or that opened one of these 1-Clicks. They may be in other
 * databases, so call it before the person's transaction and again after it. It can be repeated.
 */
export async function endSdkSessions(deps: Deps, of: Omit<SessionsOf, "dataKeyUuid">): Promise<void> {
  const key = await findPersonKey(deps.db, of.personUuid);
  if (key === undefined) return;
  const all = { ...of, dataKeyUuid: key.data_key_uuid };
  for (const keyed of deps.everyKeyed()) await keyed.inTransaction((trx) => deleteSessionsOf(trx, all));
}
