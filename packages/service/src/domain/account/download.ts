/** All data stored about the person, as one document. It has full values, so the person must prove who they are. */

import { listDecisions } from "../audit/consent-rows.ts";
import { byPerson, recordAudit } from "../audit/record.ts";
import { brandNames } from "../brand/brand-rows.ts";
import type { Deps } from "../deps.ts";
import { plansToShow } from "../health/insurance.ts";
import type { HealthResult } from "../health/lookup.ts";
import { listResultsAbout } from "../health/lookup-rows.ts";
import { findFirstSeenAt } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { cardsWithData, findSharedOneClick, sharesOf } from "./cards.ts";
import { brandNamesIn, nameAtDecision, signed } from "./receipt.ts";
import { type Account, type AccountDevice, listDevices, requireProven } from "./session.ts";
import { choicesOf, type TakenOut } from "./takeout.ts";
import { brandsInRecord, type TimelineEntry, timelineOf } from "./timeline.ts";

/** Maximum pages of the audit record in one document: 10 000 entries. */
const pagesMax = 200;
const decisionsMax = 2_000;

type Decision = {
  uuid: string;
  at: number;
  action: string;
  source: string;
  brand: string | null;
  version: string;
  language: string | null;
  words: string | null;
  url: string | null;
  receipt: string;
};
export type Download = {
  about: string;
  madeAt: number;
  phone: Phone;
  knownSince: number;
  brands: Awaited<ReturnType<typeof brandsInRecord>>;
  issued: Awaited<ReturnType<typeof cardsWithData>>;
  taken: TakenOut[];
  shared: (Awaited<ReturnType<typeof sharesOf>>[number] & { credentials: unknown })[];
  insurance: { brand: string; foundAt: number; result: HealthResult }[];
  record: TimelineEntry[];
  decisions: Decision[];
  devices: AccountDevice[];
};

const explanation =
  "Everything that this service holds under your phone number. Values that outside sources hold are asked for when you share and kept for an hour at most. Each receipt can be checked with the keys at /.well-known/jwks.json.";

export async function download(deps: Deps, account: Account): Promise<Download> {
  requireProven(account);
  const { person, requestId } = account;
  await deps.db.inTransaction((trx) =>
    recordAudit(deps, trx, byPerson(requestId), { action: "account.downloaded", personUuid: person.uuid }),
  );
  return {
    about: explanation,
    madeAt: deps.clock.now(),
    phone: account.phone,
    knownSince: await findFirstSeenAt(deps, person.uuid),
    brands: await brandsInRecord(deps, account),
    issued: await cardsWithData(deps, account),
    taken: (await choicesOf(deps, account)).taken,
    shared: await sharedOf(deps, account),
    insurance: await insuranceOf(deps, account),
    record: await wholeRecord(deps, account),
    decisions: await decisionsOf(deps, account),
    devices: await listDevices(deps, account),
  };
}

async function sharedOf(deps: Deps, account: Account): Promise<Download["shared"]> {
  const shares = await sharesOf(deps, account);
  return await Promise.all(
    shares.map(async (share) => ({
      ...share,
      credentials:
        (await findSharedOneClick(deps, account, share))?.facts.credentials.map(({ values }) => values) ?? [],
    })),
  );
}

async function insuranceOf(deps: Deps, { person, shown }: Account): Promise<Download["insurance"]> {
  const stored = await listResultsAbout(deps, { person, brands: shown });
  const results = stored.filter(({ result }) => result.results.length > 0);
  const uuids = results.map(({ brandUuid }) => brandUuid);
  const names = await brandNames(deps.home, deps.environment, uuids);
  return results.map(({ brandUuid, finishedAt, question, result }) => ({
    brand: names.get(brandUuid) ?? "",
    foundAt: finishedAt,
    result: { ...result, results: plansToShow({ question, result }) },
  }));
}

async function wholeRecord(deps: Deps, account: Account): Promise<TimelineEntry[]> {
  const all: TimelineEntry[] = [];
  let before: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const { entries, next } = await timelineOf(deps, account, before === undefined ? {} : { before });
    all.push(...entries);
    if (next === null) break;
    before = next;
  }
  return all;
}

async function decisionsOf(deps: Deps, { person, shown }: Account): Promise<Decision[]> {
  const rows = await listDecisions(deps, { personUuid: person.uuid, brands: shown, max: decisionsMax });
  const names = await brandNamesIn(deps, rows);
  return await Promise.all(
    rows.map(async (row) => ({
      uuid: row.uuid,
      at: row.at,
      action: row.action,
      source: row.source,
      version: row.version,
      language: row.language,
      words: row.words,
      url: row.url,
      brand: row.brand_uuid === null ? null : nameAtDecision(row, names),
      receipt: await signed(deps, row, names),
    })),
  );
}
