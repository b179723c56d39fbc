/**
 * The rows of `openid_key` and `takeout_key`: the keys that sign ID tokens, and those that sign credentials and their
 * status lists. Private keys are sealed under a key of the service.
 */
import type { JsonWebKey } from "node:crypto";
import { placeOf } from "../store/seal.ts";
import type { Deps } from "./deps.ts";
import type { KeyStore } from "./signing-keys.ts";

type StoreDeps = Pick<Deps, "home" | "environment" | "vault">;

/** Stores the keys of one purpose in its table. */
export function signingKeyStore(
  { home, environment, vault }: StoreDeps,
  table: "openid_key" | "takeout_key",
): KeyStore {
  const sealingKey = table === "openid_key" ? vault.openidKey : vault.takeoutKey;
  const placeOfKey = (generation: number) => placeOf(table, `${environment}|${generation}`);
  return {
    async list() {
      const rows = await home
        .selectFrom(table)
        .select(["generation", "sealed", "created_at"])
        .where("environment", "=", environment)
        .orderBy("generation", "desc")
        .execute();
      return rows.map(({ generation, sealed, created_at }) => ({
        generation,
        createdAt: created_at,
        jwk: vault.open<JsonWebKey>(sealingKey, placeOfKey(generation), sealed),
      }));
    },
    async insert({ generation, createdAt, jwk }) {
      const sealed = vault.seal(sealingKey, placeOfKey(generation), jwk);
      await home
        .insertInto(table)
        .values({ environment, generation, sealed, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async deleteUpTo(generation) {
      await home
        .deleteFrom(table)
        .where("environment", "=", environment)
        .where("generation", "<=", generation)
        .execute();
    },
  };
}
