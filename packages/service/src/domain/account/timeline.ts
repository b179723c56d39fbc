/** The timeline on a person's own page: who received which data, when, for what, and with which consent. */
import type { AnywayGets } from "@countersign/contract/wallet";
import { listBrandsOf, listEntries } from "../audit/audit-rows.ts";
import { entryDetail } from "../audit/record.ts";
import { brandNames } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../failure.ts";
import { brandsWithResult } from "../health/lookup-rows.ts";
import { brandsThatRead } from "../signup/readable-rows.ts";
import type { Account } from "./session.ts";

/** Entries of one page. */
const timelinePageMax = 50;
/** Brands that a person's page lists. */
const brandsMax = 200;
/** The actions that give a brand the person's data. */
const releases = ["oneClick.released", "health.released"];
const reads = ["oneClick.read", "health.read", "credential.read"];

type TimelineConsent = {
  uuid: string;
  source: "brandDeclaration" | "brandRequest" | "wallet" | "operator";
  version: string;
  language?: string;
  words?: string;
  url?: string;
};
export type TimelineEntry = {
  /** An opaque ID. The row's number would reveal how many entries all people have. */
  id: string;
  at: number;
  action: string;
  brand?: { uuid: string; name: string };
  types: string[];
  purpose?: string;
  anyway?: AnywayGets;
  consent?: TimelineConsent;
};

/** One page of the timeline, newest first: the entries before the entry `before`. */
export async function timelineOf(
  deps: Deps,
  account: Account,
  input: { before?: string; brandUuid?: string } = {},
): Promise<{ entries: TimelineEntry[]; next: string | null }> {
  const { brandUuid } = input;
  const scope = `timeline|${account.person.uuid}`;
  const before = input.before === undefined ? undefined : deps.vault.numberOf(scope, input.before);
  if (before === null) throw invalid([{ path: "query.before", message: "Use the ID of an entry." }]);
  const whose = { personUuid: account.person.uuid, brands: account.shown };
  const rows = await listEntries(deps, { ...whose, before, brandUuid, max: timelinePageMax + 1 });
  const page = rows.slice(0, timelinePageMax);
  const uuids = page.flatMap((row) => (row.brand_uuid === null ? [] : [row.brand_uuid]));
  const names = await brandNames(deps.home, deps.environment, [...new Set(uuids)]);
  const entries = page.map((row): TimelineEntry => {
    const { types, word, anyway, brandName } = entryDetail(row.detail);
    const name = brandName ?? names.get(row.brand_uuid ?? "") ?? "";
    return {
      id: deps.vault.opaqueId(scope, row.id),
      at: row.at,
      action: row.action,
      ...(row.brand_uuid === null ? {} : { brand: { uuid: row.brand_uuid, name } }),
      types,
      ...(word === undefined ? {} : { purpose: word }),
      ...(anyway === undefined ? {} : { anyway }),
      ...(row.consent_uuid === null || row.source === null || row.version === null
        ? {}
        : { consent: consentOf({ ...row, uuid: row.consent_uuid, source: row.source, version: row.version }) }),
    };
  });
  return { entries, next: rows.length > timelinePageMax ? (entries.at(-1)?.id ?? null) : null };
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
  insuranceUntil?: number;
  stopped: boolean;
};

/** The brands that the person's entries name, the latest first. */
export async function brandsInRecord(deps: Deps, account: Account): Promise<AccountBrand[]> {
  const personUuid = account.person.uuid;
  const whose = { personUuid, brands: account.shown };
  const rows = await listBrandsOf(deps, { ...whose, releases, reads, max: brandsMax });
  const readers = new Set(await brandsThatRead(deps, personUuid));
  const insuranceUntilOf = await brandsWithResult(deps, personUuid);
  const uuids = rows.flatMap((row) => (row.brand_uuid === null ? [] : [row.brand_uuid]));
  const names = await brandNames(deps.home, deps.environment, uuids);
  return rows.map((row) => {
    const uuid = row.brand_uuid ?? "";
    const insuranceUntil = insuranceUntilOf.get(uuid);
    return {
      uuid,
      name: names.get(uuid) ?? "",
      firstAt: row.first_at,
      lastAt: row.last_at,
      reads: row.reads,
      canRead: readers.has(uuid) || insuranceUntil !== undefined,
      ...(insuranceUntil === undefined ? {} : { insuranceUntil }),
      stopped: row.withdrawn !== null && row.withdrawn > (row.released ?? 0),
    };
  });
}
