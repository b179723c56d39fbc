/** The rows of `openid_key`: the keys that sign ID tokens and UserInfo. Private keys are sealed under a key of the service. */
import type { JsonWebKey } from "node:crypto";
import { placeOf } from "../../store/seal.ts";
import type { Deps } from "../deps.ts";

type Store = Pick<Deps, "home" | "environment" | "vault">;
export type StoredKey = { generation: number; createdAt: number; jwk: JsonWebKey };

const place = (environment: string, generation: number) => placeOf("openid_key", `${environment}|${generation}`);

/** All keys, newest first. */
export async function listOpenidKeys({ home, environment, vault }: Store): Promise<StoredKey[]> {
  const rows = await home
    .selectFrom("openid_key")
    .selectAll()
    .where("environment", "=", environment)
    .orderBy("generation", "desc")
    .execute();
  return rows.map(({ generation, sealed, created_at }) => ({
    generation,
    createdAt: created_at,
    jwk: vault.open<JsonWebKey>(vault.openidKey, place(environment, generation), sealed),
  }));
}

/** Stores a key. If another process stored this generation first, nothing changes. */
export async function insertOpenidKey({ home, environment, vault }: Store, key: StoredKey): Promise<void> {
  const { generation, createdAt, jwk } = key;
  const sealed = vault.seal(vault.openidKey, place(environment, generation), jwk);
  await home
    .insertInto("openid_key")
    .values({ environment, generation, sealed, created_at: createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes this generation and all earlier ones. */
export async function deleteOpenidKeysUpTo({ home, environment }: Store, generation: number): Promise<void> {
  await home
    .deleteFrom("openid_key")
    .where("environment", "=", environment)
    .where("generation", "<=", generation)
    .execute();
}
