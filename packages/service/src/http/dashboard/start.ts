import { readStart } from "@countersign/contract/dashboard-start";
import type { FastifyInstance } from "fastify";
import { brandOf, type Desk, mountMember } from "./guard.ts";

/** Data for a brand's first steps, with its own values. */
export function routesStart(app: FastifyInstance, desk: Desk): void {
  mountMember(app, desk, readStart, async (who, { params }) => {
    const { brand } = await brandOf(desk, who, params);
    const { integrationType, redirectUrl } = brand.settings;
    const guide = desk.guides[params.environment];
    return {
      integrationType,
      redirectUrl,
      demoKey: guide?.demoKeys.get(brand.uuid) ?? null,
      testPeople: [...(guide?.testPeople ?? [])],
    };
  });
}
