import { deleteKeyWithoutPerson } from "../../store/data-key-rows.ts";
import { enqueue } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { randomWord, wordHash } from "../token.ts";
import { sessionLifeMs } from "./make.ts";

/** Letters and digits of a session's token: 256 bits. */
const tokenLength = 43;

/** Trades a key for the token of the session it opens. Of many that try at once, one wins. */
export async function openSession(
  deps: Deps,
  { sessionKey, frame }: { sessionKey: string; frame: string },
): Promise<{ sessionToken: string; expiresAt: number }> {
  // A frame under another address, or none, is one that any site may show.
  if (wordHash(sessionKey).toString("base64url") !== frame) throw refuse(401, "INVALID_SESSION_KEY");
  const now = deps.clock.now();
  const sessionToken = randomWord(deps.random, tokenLength);
  const expiresAt = now + sessionLifeMs;
  return await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .updateTable("session")
      .set({ opened_at: now, token_hash: wordHash(sessionToken), expires_at: expiresAt })
      .where("key_hash", "=", wordHash(sessionKey))
      .where("environment", "=", deps.environment)
      .where("opened_at", "is", null)
      .where("expires_at", ">", now)
      .returning("uuid")
      .executeTakeFirst();
    // Unknown, used and expired look the same from here: which it was helps only whoever should not know.
    if (row === undefined) throw refuse(401, "INVALID_SESSION_KEY");
    await enqueue(trx, {
      environment: deps.environment,
      name: "session.erase",
      subject: row.uuid,
      dueAt: expiresAt,
      payload: { sessionUuid: row.uuid },
    });
    return { sessionToken, expiresAt };
  });
}

/** Job: when a session's time is over, what it knew is gone. */
export async function eraseSession(deps: Deps, { sessionUuid }: { sessionUuid: string }): Promise<void> {
  await deps.db.inTransaction(async (trx) => {
    const row = await trx
      .deleteFrom("session")
      .where("uuid", "=", sessionUuid)
      .where("expires_at", "<=", deps.clock.now())
      .returning("data_key_uuid")
      .executeTakeFirst();
    if (row !== undefined) await deleteKeyWithoutPerson(trx, row.data_key_uuid);
  });
}
