import { type DueMark, dueMarksMax } from "@countersign/contract/dashboard-sandbox";
import { minuteMs } from "@countersign/contract/time";
import { listLaterJobs } from "../../store/queue.ts";
import type { Deps, HomeDeps } from "../deps.ts";
import { everyCell } from "../every-cell.ts";
import { listLookupEnds } from "../health/lookup-rows.ts";
import { listOneClickEnds } from "../signup/one-click-end-rows.ts";
import { brandsOfTexts } from "../verification/texts/message-rows.ts";
import { listExpiring, listKept } from "../verification/verification-end-rows.ts";
import { brandsOfDeliveries } from "../webhook/delivery-rows.ts";

/** Maximum number of rows that are read of each kind. A list with that many rows may lack later ones. */
const rowsMax = 1_000;

type Due = { kind: DueMark["kind"]; at: number; brandUuid: string };
/** `until`: later rows may be missing. Null: there are none. */
type Listed = { due: Due[]; until: number | null };

/** What becomes due for these brands, soonest first: counts per brand, kind and minute. `names` is by the brand's uuid. */
export async function listDueMarks(
  deps: HomeDeps,
  names: ReadonlyMap<string, string>,
): Promise<{ data: DueMark[]; until: number | null }> {
  const brands = [...names.keys()];
  const lists = (await everyCell(deps, (cell) => listDueOf(cell, brands))).flat();
  const complete = Math.min(...lists.map(({ until }) => until ?? Number.POSITIVE_INFINITY));
  const due = lists.flatMap((list) => list.due).filter(({ at }) => at <= complete);
  const marks = new Map<string, DueMark>();
  for (const { kind, at, brandUuid } of due.sort((a, b) => a.at - b.at)) {
    const brandName = names.get(brandUuid);
    if (brandName === undefined) continue;
    const key = `${kind} ${brandUuid} ${Math.floor(at / minuteMs)}`;
    const mark = marks.get(key);
    marks.set(key, { kind, at: mark?.at ?? at, lastAt: at, count: (mark?.count ?? 0) + 1, brandName });
  }
  const all = [...marks.values()];
  const data = all.slice(0, dueMarksMax);
  const last = data.at(-1)?.at;
  if (all.length > dueMarksMax && last !== undefined) return { data, until: last };
  return { data, until: Number.isFinite(complete) ? complete : null };
}

async function listDueOf(cell: Deps, brands: readonly string[]): Promise<Listed[]> {
  const asked = { brands, max: rowsMax };
  const [expiring, kept, oneClicks, lookups, jobs] = await Promise.all([
    listExpiring(cell, asked),
    listKept(cell, asked),
    listOneClickEnds(cell, asked),
    listLookupEnds(cell, asked),
    listLaterJobs(cell.db, {
      environment: cell.environment,
      names: ["webhook.deliver", "verification.sendText"],
      now: cell.clock.now(),
      max: rowsMax,
    }),
  ]);
  const subjects = (name: string) => jobs.filter((job) => job.name === name).map(({ subject }) => subject);
  const [deliveries, texts] = await Promise.all([
    brandsOfDeliveries(cell.db, subjects("webhook.deliver")),
    brandsOfTexts(cell.db, subjects("verification.sendText")),
  ]);
  return [
    listed(
      expiring,
      ({ expires_at: at }) => at,
      ({ brand_uuid: brandUuid, expires_at: at, hasCode, hasLink }) => [
        ...(hasCode ? [{ kind: "code" as const, at, brandUuid }] : []),
        ...(hasLink ? [{ kind: "link" as const, at, brandUuid }] : []),
      ],
    ),
    listed(
      kept,
      ({ kept_until: at }) => at,
      ({ brand_uuid: brandUuid, kept_until: at }) => [{ kind: "erasure", at, brandUuid }],
    ),
    listed(
      oneClicks,
      ({ at }) => at,
      ({ brandUuid, at, isReadable }) => [{ kind: isReadable ? "access" : "erasure", at, brandUuid }],
    ),
    listed(
      lookups,
      ({ at }) => at,
      ({ brandUuid, at }) => [{ kind: "erasure", at, brandUuid }],
    ),
    listed(
      jobs,
      ({ dueAt }) => dueAt,
      ({ name, subject, dueAt: at }) => {
        const kind = name === "webhook.deliver" ? ("webhookRetry" as const) : ("textRetry" as const);
        const brandUuid = (kind === "webhookRetry" ? deliveries : texts).get(subject);
        return brandUuid === undefined ? [] : [{ kind, at, brandUuid }];
      },
    ),
  ];
}

/** The rows are complete up to the time of the last one, also if that one is of another customer. */
function listed<Row>(rows: readonly Row[], atOf: (row: Row) => number, dueOf: (row: Row) => Due[]): Listed {
  const last = rows.at(rowsMax - 1);
  return { due: rows.flatMap(dueOf), until: last === undefined ? null : atOf(last) };
}
