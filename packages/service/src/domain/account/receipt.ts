/**
 * The receipt of a decision: a JWS that anyone can check with our published key. It contains no personal value.
 */
import { createHash } from "node:crypto";
import type { Reader } from "../../store/database.ts";
import { findDecision, type StoredDecision } from "../audit/consent-rows.ts";
import { entryDetail } from "../audit/record.ts";
import { brandNames } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../failure.ts";
import type { Account } from "./session.ts";

/** The person's own decision, signed. Another person's decision is a 404, like an unknown one. */
export async function receiptOf(deps: Deps, account: Account, consentUuid: string): Promise<string> {
  const decision = await decisionOf(deps, deps.db, account, consentUuid);
  if (decision === undefined) throw refuse(404, "No such decision.");
  return await signed(deps, decision, await brandNamesIn(deps, [decision]));
}

/** A decision of the person. Undefined if there is none. `reader`: the transaction, if it makes the decision. */
export async function decisionOf(
  deps: Deps,
  reader: Reader,
  { person, shown }: Pick<Account, "person" | "shown">,
  consentUuid: string,
): Promise<StoredDecision | undefined> {
  return await findDecision(deps, reader, { uuid: consentUuid, personUuid: person.uuid, brands: shown });
}

/** The names of the brands that decisions are about. */
export async function brandNamesIn(deps: Deps, decisions: readonly StoredDecision[]): Promise<BrandNames> {
  const uuids = decisions.flatMap(({ brand_uuid }) => (brand_uuid === null ? [] : [brand_uuid]));
  return await brandNames(deps.home, deps.environment, [...new Set(uuids)]);
}
type BrandNames = Awaited<ReturnType<typeof brandNames>>;

/** The brand's name at the decision. A decision whose audit entry has no name gets the name of today. */
export function nameAtDecision({ brand_uuid: uuid, detail }: StoredDecision, names: BrandNames): string {
  return entryDetail(detail).brandName ?? names.get(uuid ?? "") ?? "";
}

export async function signed(deps: Deps, row: StoredDecision, names: BrandNames): Promise<string> {
  const { types, word } = entryDetail(row.detail);
  const brandName = nameAtDecision(row, names);
  return deps.vault.signReceipt({
    iss: deps.addresses.walletUrl,
    jti: row.uuid,
    iat: Math.floor(row.at / 1000),
    at: row.at,
    environment: deps.environment,
    action: row.action,
    source: row.source,
    ...(row.brand_uuid === null ? {} : { brand: { uuid: row.brand_uuid, name: brandName } }),
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
