import type { Environment } from "@countersign/contract/brand";
import {
  exportUsage,
  listLedger,
  readFigures,
  readLogLine,
  readUsage,
  searchLog,
} from "@countersign/contract/dashboard-reporting";
import type { FastifyInstance } from "fastify";
import { bucketsFor } from "../../domain/reporting/buckets.ts";
import { exportUsage as exported } from "../../domain/reporting/csv.ts";
import { readFigures as figures } from "../../domain/reporting/figures.ts";
import { readLogLine as line, searchLog as search } from "../../domain/reporting/log.ts";
import type { WatchDeps } from "../../domain/reporting/of.ts";
import { listLedger as ledgerOf, readUsage as usage } from "../../domain/reporting/usage.ts";
import { listAlarms } from "../../domain/verification/limits/alarms.ts";
import { brandOf, type Desk, mountMember, type Visitor } from "./guard.ts";

/** Reporting endpoints: request log, analytics and usage of the members' brands. */
export function routesWatch(app: FastifyInstance, desk: Desk): void {
  const of = async (who: Visitor, params: { brand: string; environment: Environment }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    const { environment, db, clock } = admin;
    const deps: WatchDeps = { environment, db, clock, vault: desk.accounts.vault };
    return { deps, brandUuid: brand.uuid };
  };
  mountMember(app, desk, searchLog, async (who, { params, body }) => {
    const { deps, brandUuid } = await of(who, params);
    return await search(deps, { brandUuid, filter: body.filter, ...cursorOf(body) });
  });
  mountMember(app, desk, readLogLine, async (who, { params }) => {
    const { deps, brandUuid } = await of(who, params);
    return await line(deps, brandUuid, Number(params.line));
  });
  mountMember(app, desk, readFigures, async (who, { params, query }) => {
    const { deps, brandUuid } = await of(who, params);
    const { range, from, to, bucket } = query;
    const asked = {
      ...(range === undefined ? {} : { range }),
      ...(from === undefined ? {} : { from: Number(from) }),
      ...(to === undefined ? {} : { to: Number(to) }),
      ...(bucket === undefined ? {} : { bucket }),
    };
    const found = await figures(deps, brandUuid, bucketsFor(asked, deps.clock.now()));
    const served = desk.environments[params.environment];
    const alarms = served === undefined ? [] : await listAlarms(served, brandUuid);
    return { ...found, alarms: alarms.filter(({ raisedAt }) => raisedAt >= found.from && raisedAt < found.to) };
  });
  mountMember(app, desk, readUsage, async (who, { params }) => {
    const { deps, brandUuid } = await of(who, params);
    return { data: await usage(deps, brandUuid) };
  });
  mountMember(app, desk, listLedger, async (who, { params, query }) => {
    const { deps, brandUuid } = await of(who, params);
    const before = query.before === undefined ? {} : { before: Number(query.before) };
    return await ledgerOf(deps, { brandUuid, ...before });
  });
  mountMember(app, desk, exportUsage, async (who, { params, query }) => {
    const { deps, brandUuid } = await of(who, params);
    return await exported(deps, { brandUuid, of: query.of });
  });
}

function cursorOf({ older, newer }: { older?: string | undefined; newer?: string | undefined }) {
  if (newer !== undefined) return { newer: Number(newer) };
  return older === undefined ? {} : { older: Number(older) };
}
