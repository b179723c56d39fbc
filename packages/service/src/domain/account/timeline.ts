/** Who received what of the person, when, for what, and on which words: the record itself, entry by entry. */
import { sql } from "kysely";
import { detailOf } from "../audit/record.ts";
import { brandNames } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../failure.ts";
import { brandsWithResult } from "../health/lookup-rows.ts";
import { isShown } from "./scope.ts";
import type { Account } from "./session.ts";

/** Entries of one page. */
export const timelinePageMax = 50;
/** Brands that a person's page lists. */
const brandsMax = 200;
/** What gives a brand the person's data. */
const releases = ["oneClick.released", "health.released"];
const reads = ["oneClick.read", "health.read", "credential.read"];

export type TimelineConsent = {
  uuid: string;
  source: "brandDeclaration" | "brandRequest" | "wallet";
  version: string;
  language?: string;
  words?: string;
  url?: string;
};
export type TimelineEntry = {
  /** Not the row's number: that counts what everybody does. */
  id: string;
  at: number;
  action: string;
  brand?: { uuid: string; name: string };
  types: string[];
  purpose?: string;
  consent?: TimelineConsent;
};

/** A page of the record, newest first: the entries before the one with the id `before`. */
export async function timelineOf(
  deps: Deps,
  account: Account,
  what: { before?: string; brandUuid?: string } = {},
): Promise<{ entries: TimelineEntry[]; next: string | null }> {
  const { brandUuid } = what;
  const scope = `timeline|${account.person.uuid}`;
  const before = what.before === undefined ? undefined : deps.vault.numberOf(scope, what.before);
  if (before === null) throw invalid([{ path: "query.before", message: "is not the id of an entry" }]);
  const rows = await record(deps, account)
    .leftJoin("consent", (join) => join.on(sql`(audit.detail->>'consent')::uuid`, "=", sql.ref("consent.uuid")))
    .select(["audit.id", "audit.at", "audit.action", "audit.brand_uuid", "audit.detail"])
    .select(["consent.uuid as consent_uuid", "consent.source", "consent.version", "consent.language"])
    .select(["consent.words", "consent.url"])
    .$if(before !== undefined, (query) => query.where("audit.id", "<", before ?? 0))
    .$if(brandUuid !== undefined, (query) => query.where("audit.brand_uuid", "=", brandUuid ?? ""))
    .orderBy("audit.id", "desc")
    .limit(timelinePageMax + 1)
    .execute();
  const page = rows.slice(0, timelinePageMax);
  const uuids = page.flatMap((row) => (row.brand_uuid === null ? [] : [row.brand_uuid]));
  const names = await brandNames(deps.db, deps.environment, [...new Set(uuids)]);
  const entries = page.map((row): TimelineEntry => {
    const { types, word } = detailOf(row.detail);
    return {
      id: deps.vault.opaqueId(scope, row.id),
      at: row.at,
      action: row.action,
      ...(row.brand_uuid === null ? {} : { brand: { uuid: row.brand_uuid, name: names.get(row.brand_uuid) ?? "" } }),
      types,
      ...(word === undefined ? {} : { purpose: word }),
      ...(row.consent_uuid === null || row.source === null || row.version === null
        ? {}
        : { consent: consentOf({ ...row, uuid: row.consent_uuid, source: row.source, version: row.version }) }),
    };
  });
  return { entries, next: rows.length > timelinePageMax ? (entries.at(-1)?.id ?? null) : null };
}

/** The person's part of the record: of the brands that are shown, and what they did here themselves; since the last reset. */
function record(deps: Deps, { person, shown }: Account) {
  return deps.db
    .selectFrom("audit")
    .where("audit.environment", "=", deps.environment)
    .where("audit.person_uuid", "=", person.uuid)
    .where(({ or, eb }) => or([eb("audit.brand_uuid", "is", null), isShown(shown, "audit.brand_uuid")]))
    .where(
      "audit.id",
      ">",
      sql<number>`coalesce((select max(id) from audit where person_uuid = ${person.uuid} and action = 'account.reset'), 0)`,
    );
}

type Consented = {
  uuid: string;
  source: TimelineConsent["source"];
  version: string;
  language: string | null;
  words: string | null;
  url: string | null;
};

function consentOf({ uuid, source, version, language, words, url }: Consented): TimelineConsent {
  return {
    uuid,
    source,
    version,
    ...(language === null ? {} : { language }),
    ...(words === null ? {} : { words }),
    ...(url === null ? {} : { url }),
  };
}

export type AccountBrand = {
  uuid: string;
  name: string;
  firstAt: number;
  lastAt: number;
  reads: number;
  canRead: boolean;
  stopped: boolean;
};

/** The brands that the record names, the latest first. */
export async function brandsInRecord(deps: Deps, account: Account): Promise<AccountBrand[]> {
  const now = deps.clock.now();
  const rows = await record(deps, account)
    .where("audit.brand_uuid", "is not", null)
    .groupBy("audit.brand_uuid")
    .select(["audit.brand_uuid", sql<number>`min(audit.at)`.as("first_at"), sql<number>`max(audit.at)`.as("last_at")])
    .select(sql<number>`count(*) filter (where audit.action = any(${reads}))`.as("reads"))
    .select(sql<number | null>`max(audit.id) filter (where audit.action = any(${releases}))`.as("released"))
    .select(sql<number | null>`max(audit.id) filter (where audit.action = 'account.withdrawn')`.as("withdrawn"))
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("one_click")
          .select("uuid")
          .whereRef("one_click.brand_uuid", "=", "audit.brand_uuid")
          .where("one_click.person_uuid", "=", account.person.uuid)
          .where("one_click.state", "=", "released")
          .where("one_click.sealed", "is not", null)
          .where("one_click.expires_at", ">", now),
      ).as("can_read"),
    )
    .orderBy("last_at", "desc")
    .limit(brandsMax)
    .execute();
  const uuids = rows.flatMap((row) => (row.brand_uuid === null ? [] : [row.brand_uuid]));
  const names = await brandNames(deps.db, deps.environment, uuids);
  const withResult = await brandsWithResult(deps, account.person.uuid);
  return rows.map((row) => ({
    uuid: row.brand_uuid ?? "",
    name: names.get(row.brand_uuid ?? "") ?? "",
    firstAt: row.first_at,
    lastAt: row.last_at,
    reads: row.reads,
    canRead: Boolean(row.can_read) || withResult.includes(row.brand_uuid ?? ""),
    stopped: row.withdrawn !== null && row.withdrawn > (row.released ?? 0),
  }));
}
