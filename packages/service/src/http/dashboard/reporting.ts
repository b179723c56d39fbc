import type { Environment } from "@countersign/contract/brand";
import { listJourneys, readJourney } from "@countersign/contract/dashboard-journeys";
import * as contract from "@countersign/contract/dashboard-reporting";
import type { FastifyInstance } from "fastify";
import { fittingRange, readAnalytics } from "../../domain/reporting/analytics.ts";
import { bucketsFor } from "../../domain/reporting/buckets.ts";
import type { ReportingDeps } from "../../domain/reporting/deps.ts";
import * as journey from "../../domain/reporting/journey.ts";
import { countLog, readLogLine, searchLog } from "../../domain/reporting/log.ts";
import { cutFrom, lineFrom } from "../../domain/reporting/pages.ts";
import { exportUsage, listLedger, readUsage } from "../../domain/reporting/usage.ts";
import { listAlarms } from "../../domain/verification/limits/conversion-alarm-rows.ts";
import { brandOf, type Dashboard, mountMember, type Visitor } from "./guard.ts";

/** Default number of journeys of a list. */
const journeysUsual = 20;

/** Reporting endpoints: request log, journeys, analytics and usage of the members' brands. */
export function routesReporting(app: FastifyInstance, dashboard: Dashboard): void {
  const depsOf = async (who: Visitor, params: { brand: string; environment: Environment }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    const { environment, clock } = admin;
    const { home, vault } = dashboard.accounts;
    const deps: ReportingDeps = { environment, cells: dashboard.reports.cells(), home, clock, vault };
    return { deps, brandUuid: brand.uuid };
  };
  mountMember(app, dashboard, contract.readReportLag, async () => ({ lagMs: await dashboard.reports.lagMs() }));
  mountMember(app, dashboard, contract.searchLog, async (who, { params, body }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    return await searchLog(deps, { brandUuid, filter: body.filter, ...cutOf(body) });
  });
  mountMember(app, dashboard, contract.countLog, async (who, { params, body }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    return await countLog(deps, { brandUuid, filter: body.filter });
  });
  mountMember(app, dashboard, contract.readLogLine, async (who, { params }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    return await readLogLine(deps, brandUuid, lineFrom(params.line));
  });
  mountMember(app, dashboard, listJourneys, async (who, { params, query }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    const { kind, outcome, max = journeysUsual } = query;
    const data = await journey.listJourneys(deps, { brandUuid, kind, outcome, max: Number(max) });
    return { data, now: deps.clock.now() };
  });
  mountMember(app, dashboard, readJourney, async (who, { params }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    return await journey.openJourney(deps, brandUuid, params.uuid.toLowerCase());
  });
  mountMember(app, dashboard, contract.readAnalytics, async (who, { params, query }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    const { range, from, to, bucket } = query;
    const asked = {
      ...(range === "auto" ? await fittingRange(deps, brandUuid) : range === undefined ? {} : { range }),
      ...(from === undefined ? {} : { from: Number(from) }),
      ...(to === undefined ? {} : { to: Number(to) }),
      ...(bucket === undefined ? {} : { bucket }),
    };
    const found = await readAnalytics(deps, brandUuid, bucketsFor(asked, deps.clock.now()));
    const served = dashboard.environments[params.environment];
    const alarms = served === undefined ? [] : await listAlarms(served, brandUuid);
    return { ...found, alarms: alarms.filter(({ raisedAt }) => raisedAt >= found.from && raisedAt < found.to) };
  });
  mountMember(app, dashboard, contract.readUsage, async (who, { params }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    return { data: await readUsage(deps, brandUuid) };
  });
  mountMember(app, dashboard, contract.listLedger, async (who, { params, query }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    return await listLedger(deps, { brandUuid, ...cutOf(query) });
  });
  mountMember(app, dashboard, contract.exportUsage, async (who, { params, query }) => {
    const { deps, brandUuid } = await depsOf(who, params);
    return await exportUsage(deps, { brandUuid, of: query.of });
  });
}

function cutOf({ older, newer }: { older?: string | undefined; newer?: string | undefined }) {
  if (newer !== undefined) return { newer: cutFrom(newer) };
  return older === undefined ? {} : { older: cutFrom(older) };
}
