import { readOverview } from "@countersign/contract/dashboard-reporting";
import { maskedAddress } from "@countersign/contract/masked-address";
import type { FastifyInstance } from "fastify";
import { listKeys } from "../../domain/brand/api-key-rows.ts";
import { listApprovals } from "../../domain/brand/brand-rows.ts";
import type { AdminDeps } from "../../domain/brand/manage.ts";
import type { Brand } from "../../domain/deps.ts";
import { viewApprovals } from "../../domain/member/approvals.ts";
import { attentionOf, type Facts } from "../../domain/reporting/attention.ts";
import { readFigures } from "../../domain/reporting/overview.ts";
import { listAlarms } from "../../domain/verification/limits/conversion-alarm-rows.ts";
import { listEndpoints } from "../../domain/webhook/endpoint-rows.ts";
import { brandOf, type Dashboard, mountMember } from "./guard.ts";

/** A brand's overview: its figures, and what needs attention. */
export function routesOverview(app: FastifyInstance, dashboard: Dashboard): void {
  mountMember(app, dashboard, readOverview, async (who, { params }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    const { environment, clock } = admin;
    const { home, vault } = dashboard.accounts;
    const [figures, facts] = await Promise.all([
      readFigures({ environment, cells: dashboard.reports.cells(), home, clock, vault }, brand.uuid),
      factsOf(dashboard, brand, admin),
    ]);
    return { ...figures, ...attentionOf(facts) };
  });
}

/** What the attention list is computed from. An environment that this service does not run has no webhooks and alarms. */
async function factsOf(dashboard: Dashboard, brand: Brand, admin: AdminDeps): Promise<Facts> {
  const { environment } = admin;
  const owner = { customerUuid: brand.customerUuid, brandUuid: brand.uuid };
  const now = admin.clock.now();
  const served = dashboard.environments[environment];
  const [webhooks, alarms, keys, approvals, live] = await Promise.all([
    served === undefined ? [] : listEndpoints(served, brand.uuid),
    served === undefined ? [] : listAlarms(served, brand.uuid),
    listKeys(admin.home, environment, brand.uuid, now),
    viewApprovals(dashboard.accounts, { ...owner, environment }),
    listApprovals(admin.home, { brandUuid: brand.uuid, environment: "production" }),
  ]);
  const { request } = approvals;
  return {
    now,
    webhooks: webhooks
      .filter(({ heardAt }) => heardAt === null)
      .map(({ secrets, disabledAt, failingSince }) => ({
        address: maskedAddress(secrets.url),
        disabledAt,
        failingSince,
      })),
    alarmEnds: alarms.map(({ endsAt }) => endsAt),
    keys: keys.filter(({ revokedAt, endsAt }) => revokedAt === null && (endsAt === null || endsAt > now)),
    mayHaveKeys: brand.approvals.has("production"),
    waitingNames: approvals.waitingNames,
    production: {
      isApproved: live.some(({ approval }) => approval === "production"),
      isTried: approvals.fulfilled.includes("sandboxFlow"),
      request: request === undefined ? null : { at: request.at, refusedAt: request.refused?.at ?? null },
    },
  };
}
