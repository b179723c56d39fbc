/**
 * The rows of `openid_artifact`: codes, tokens, grants, pushed requests and interactions of the OpenID Provider. Each
 * is found by the hash of its id, and its content is sealed under a key of the service.
 */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { HomeTrx } from "../../store/database.ts";
import { placeOf } from "../../store/seal.ts";
import { type Expired, lockExpired } from "../../store/statements/expired.ts";
import { isAmong } from "../../store/statements/rows.ts";
import type { Deps } from "../deps.ts";

type Store = Pick<Deps, "home" | "environment" | "clock" | "vault" | "random">;
export type Named = { model: string; id: string };

/** The stored hash of an id. Ids are random, so it needs no key. */
function hashOf({ environment }: Store, { model, id }: Named): Buffer {
  return createHash("sha256").update(`openid|${environment}|${model}|${id}`).digest();
}

const place = (hash: Buffer) => placeOf("openid_artifact", hash.toString("hex"));
const grantName = (id: string) => ({ model: "Grant", id });

/** Stores or replaces an artifact. */
export async function saveArtifact<Content>(
  deps: Store,
  named: Named,
  input: {
    content: Content;
    brandUuid: string;
    oneClickUuid: string | null;
    grantId: string | null;
    expiresInSeconds: number;
  },
): Promise<void> {
  const hash = hashOf(deps, named);
  const content = {
    one_click_uuid: input.oneClickUuid,
    sealed: deps.vault.seal(deps.vault.openidKey, place(hash), input.content),
    expires_at: deps.clock.now() + input.expiresInSeconds * 1_000,
  };
  await deps.home
    .insertInto("openid_artifact")
    .values({
      uuid: deps.random.uuid(),
      environment: deps.environment,
      brand_uuid: input.brandUuid,
      hash,
      grant_hash: input.grantId === null ? null : hashOf(deps, grantName(input.grantId)),
      consumed_at: null,
      ...content,
    })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet(content))
    .execute();
}

export type FoundArtifact<Content> = { content: Content; consumedAt: number | null };

/** An artifact until it expires. `Content` is the type that was saved under this name. */
export async function findArtifact<Content>(deps: Store, named: Named): Promise<FoundArtifact<Content> | null> {
  const hash = hashOf(deps, named);
  const row = await deps.home
    .selectFrom("openid_artifact")
    .select(["sealed", "consumed_at"])
    .where("hash", "=", hash)
    .where("expires_at", ">", deps.clock.now())
    .executeTakeFirst();
  if (row === undefined) return null;
  const content = deps.vault.open<Content>(deps.vault.openidKey, place(hash), row.sealed);
  return { content, consumedAt: row.consumed_at };
}

/** Consumes an artifact. False if it is gone or was consumed before. Of concurrent calls, one succeeds. */
export async function consumeArtifact(deps: Store, named: Named): Promise<boolean> {
  const used = await deps.home
    .updateTable("openid_artifact")
    .set({ consumed_at: deps.clock.now() })
    .where("hash", "=", hashOf(deps, named))
    .where("consumed_at", "is", null)
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

/** Counts a try in an interaction. False if `max` tries are used up, or the interaction has ended. */
export async function countTry(deps: Store, named: Named, max: number): Promise<boolean> {
  const counted = await deps.home
    .updateTable("openid_artifact")
    .set({ tries: sql<number>`tries + 1` })
    .where("hash", "=", hashOf(deps, named))
    .where("tries", "<", max)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

export async function deleteArtifact(deps: Store, named: Named): Promise<void> {
  await deps.home.deleteFrom("openid_artifact").where("hash", "=", hashOf(deps, named)).execute();
}

/** Deletes the codes and tokens of a grant. */
export async function deleteArtifactsOfGrant(deps: Store, grantId: string): Promise<void> {
  await deps.home
    .deleteFrom("openid_artifact")
    .where("grant_hash", "=", hashOf(deps, grantName(grantId)))
    .execute();
}

/** Deletes the grants, codes and tokens of these 1-Clicks. */
export async function deleteArtifactsAbout({ home }: Store, oneClickUuids: readonly string[]): Promise<void> {
  if (oneClickUuids.length === 0) return;
  await home.deleteFrom("openid_artifact").where(isAmong("one_click_uuid", oneClickUuids)).execute();
}

/** Deletes what has expired. Returns how many rows there were. */
export async function deleteExpiredArtifacts(trx: HomeTrx, expired: Expired): Promise<number> {
  const uuids = await lockExpired(trx, "openid_artifact", "expires_at", expired);
  if (uuids.length > 0) await trx.deleteFrom("openid_artifact").where("uuid", "in", uuids).execute();
  return uuids.length;
}

/** Deletes the grants, codes, tokens and browser sessions of all people. Returns how many there were. */
export async function deleteEveryArtifact(trx: HomeTrx): Promise<number> {
  return Number((await trx.deleteFrom("openid_artifact").executeTakeFirst()).numDeletedRows);
}
