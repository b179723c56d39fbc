/** A receipt of a decision that anybody can check without us: a JWS whose key is published. It holds no value of the person. */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Reader } from "../../store/database.ts";
import { detailOf } from "../audit/record.ts";
import { brandNames } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { isShown } from "./scope.ts";
import type { Account } from "./session.ts";

/** The person's own decision, signed; somebody else's is as unknown as none. */
export async function receiptOf(deps: Deps, account: Account, consentUuid: string): Promise<string> {
  const receipt = await signed(deps, deps.db, account, consentUuid);
  if (receipt === null) throw refuse(404, "There is no such decision.");
  return receipt;
}

/** The same within a transaction that made the decision. */
export async function signed(
  deps: Deps,
  reader: Reader,
  { person, shown }: Pick<Account, "person" | "shown">,
  consentUuid: string,
): Promise<string | null> {
  const row = await reader
    .selectFrom("consent")
    .leftJoin("audit", (join) =>
      join
        .onRef("audit.person_uuid", "=", "consent.person_uuid")
        .on(sql`audit.detail->>'consent'`, "=", sql`consent.uuid::text`),
    )
    .selectAll("consent")
    .select("audit.detail")
    .where("consent.uuid", "=", consentUuid)
    // Whoever types a number agrees to be texted, before anybody proved to hold it: that is no decision of its holder.
    .where("consent.action", "!=", "prove")
    .where("consent.environment", "=", deps.environment)
    .where("consent.person_uuid", "=", person.uuid)
    .where(({ or, eb }) => or([eb("consent.brand_uuid", "is", null), isShown(shown, "consent.brand_uuid")]))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { types, word } = detailOf(row.detail);
  const names = await brandNames(reader, deps.environment, row.brand_uuid === null ? [] : [row.brand_uuid]);
  return deps.vault.signReceipt({
    iss: deps.addresses.walletUrl,
    jti: row.uuid,
    iat: Math.floor(row.at / 1000),
    at: row.at,
    environment: deps.environment,
    action: row.action,
    source: row.source,
    ...(row.brand_uuid === null ? {} : { brand: { uuid: row.brand_uuid, name: names.get(row.brand_uuid) ?? "" } }),
    ...(word === undefined ? {} : { purpose: `1-Click ${word}` }),
    types,
    words: {
      version: row.version,
      ...(row.language === null ? {} : { language: row.language }),
      ...(row.words === null ? {} : { sha256: createHash("sha256").update(row.words).digest("base64url") }),
      ...(row.url === null ? {} : { url: row.url }),
    },
  });
}
