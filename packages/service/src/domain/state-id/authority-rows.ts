/** The rows of `state_id_authority`: the authorities that the operator trusts. */
import { dayMs } from "@countersign/contract/time";
import type { Home, HomeReader } from "../../store/database.ts";
import { insertRows } from "../../store/statements/rows.ts";
import { refuse } from "../failure.ts";
import type { IssuingAuthority } from "../ports.ts";

/** A row of the trust list. `fingerprint`: SHA-256 of the certificate. Times are Unix milliseconds. */
export type ListedAuthority = IssuingAuthority & {
  fingerprint: Buffer;
  source: string;
  addedAt: number;
  expiresAt: number;
};

/** How long before a root certificate expires the operator is warned, in milliseconds. */
export const expiresSoonMs = 60 * dayMs;

/** Maximum number of authorities. There are fewer than a hundred in the US and its territories. */
const authoritiesMax = 1_000;

export async function listAuthorities(reader: HomeReader): Promise<ListedAuthority[]> {
  const rows = await reader
    .selectFrom("state_id_authority")
    .selectAll()
    .orderBy("jurisdiction")
    .orderBy("expires_at")
    .orderBy("fingerprint")
    .limit(authoritiesMax)
    .execute();
  return rows.map((row) => ({
    fingerprint: row.fingerprint,
    name: row.name,
    jurisdiction: row.jurisdiction,
    certificate: row.certificate,
    source: row.source,
    addedAt: row.added_at,
    expiresAt: row.expires_at,
  }));
}

/** The authorities whose root certificate has not expired. */
export async function currentAuthorities(reader: HomeReader, now: number): Promise<ListedAuthority[]> {
  return (await listAuthorities(reader)).filter(({ expiresAt }) => expiresAt > now);
}

/**
 * Adds the authorities of a file. `replaces`: those that a former version of the file added, and this one lacks, are
 * removed. Returns how many rows were added and removed.
 */
export async function addAuthorities(
  home: Home,
  listed: readonly Omit<ListedAuthority, "source" | "addedAt">[],
  { source, replaces, now }: { source: string; replaces: boolean; now: number },
): Promise<{ added: number; removed: number }> {
  return await home.inTransaction(async (trx) => {
    const fingerprints = listed.map(({ fingerprint }) => fingerprint);
    const known = await trx.selectFrom("state_id_authority").select(["fingerprint", "source"]).forUpdate().execute();
    const isListed = (fingerprint: Buffer) => fingerprints.some((one) => one.equals(fingerprint));
    const former = replaces ? known.filter((row) => row.source === source && !isListed(row.fingerprint)) : [];
    for (const { fingerprint } of former)
      await trx.deleteFrom("state_id_authority").where("fingerprint", "=", fingerprint).execute();
    const fresh = listed.filter(({ fingerprint }) => !known.some((row) => row.fingerprint.equals(fingerprint)));
    const rows = fresh.map((one) => ({
      fingerprint: one.fingerprint,
      name: one.name,
      jurisdiction: one.jurisdiction,
      certificate: Buffer.from(one.certificate),
      source,
      added_at: now,
      expires_at: one.expiresAt,
    }));
    // Otherwise the ones beyond the limit would be stored, but neither listed nor accepted.
    if (known.length - former.length + rows.length > authoritiesMax)
      throw refuse(
        409,
        `At most ${authoritiesMax} authorities can be trusted: remove some with \`countersign issuers remove\` first.`,
      );
    if (rows.length > 0) await insertRows(trx, "state_id_authority", rows);
    return { added: rows.length, removed: former.length };
  });
}

/** Removes an authority by the fingerprint of its certificate. False if there is none. */
export async function removeAuthority(home: Home, fingerprint: Buffer): Promise<boolean> {
  const { numDeletedRows } = await home.inTransaction((trx) =>
    trx.deleteFrom("state_id_authority").where("fingerprint", "=", fingerprint).executeTakeFirst(),
  );
  return numDeletedRows > 0n;
}
