import { readStart } from "@countersign/contract/dashboard-start";
import type { FastifyInstance } from "fastify";
import { brandOf, type Dashboard, mountMember } from "./guard.ts";

/** Data for a brand's first steps, with the brand's own values. */
export function routesStart(app: FastifyInstance, dashboard: Dashboard): void {
  mountMember(app, dashboard, readStart, async (who, { params }) => {
    const { brand } = await brandOf(dashboard, who, params);
    const { integrationType, redirectUrl } = brand.settings;
    const guide = dashboard.guides[params.environment];
    return {
      integrationType,
      redirectUrl,
      demoKey: guide?.demoKeys.get(brand.uuid) ?? null,
      testPeople: [...(guide?.testPeople ?? [])],
    };
  });
}
