/** The rows of `takeout_key`: the keys that sign credentials and their status lists. Private keys are sealed under a key of the service. */
import type { JsonWebKey } from "node:crypto";
import { placeOf } from "../../store/seal.ts";
import type { Deps } from "../deps.ts";
import type { KeyStore } from "../signing-keys.ts";

const place = (environment: string, generation: number) => placeOf("takeout_key", `${environment}|${generation}`);

export function takeoutKeyStore({ home, environment, vault }: Pick<Deps, "home" | "environment" | "vault">): KeyStore {
  return {
    async list() {
      const rows = await home
        .selectFrom("takeout_key")
        .selectAll()
        .where("environment", "=", environment)
        .orderBy("generation", "desc")
        .execute();
      return rows.map(({ generation, sealed, created_at }) => ({
        generation,
        createdAt: created_at,
        jwk: vault.open<JsonWebKey>(vault.takeoutKey, place(environment, generation), sealed),
      }));
    },
    async insert({ generation, createdAt, jwk }) {
      const sealed = vault.seal(vault.takeoutKey, place(environment, generation), jwk);
      await home
        .insertInto("takeout_key")
        .values({ environment, generation, sealed, created_at: createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    async deleteUpTo(generation) {
      await home
        .deleteFrom("takeout_key")
        .where("environment", "=", environment)
        .where("generation", "<=", generation)
        .execute();
    },
  };
}
