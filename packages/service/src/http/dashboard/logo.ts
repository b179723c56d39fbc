import { deleteLogo, putLogo } from "@countersign/contract/dashboard-logo";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { editLogo } from "../../domain/member/brands.ts";
import { viewSettings } from "../../domain/member/settings-view.ts";
import { acceptOnlyImages, pictureIn } from "../body.ts";
import { brandOf, type Dashboard, mountMember } from "./guard.ts";

/** A brand's logo, stored and served by the wallet of its environment. */
export function routesLogo(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts } = dashboard;
  app.register(async (scope) => {
    acceptOnlyImages(scope);
    mountMember(scope, dashboard, putLogo, async (who, { params, query }, { request }) => {
      const { brand, admin } = await brandOf(dashboard, who, params);
      const served = dashboard.environments[params.environment];
      if (served === undefined)
        throw refuse(409, `The ${params.environment} environment does not run here, so no wallet can serve the logo.`);
      const logo = { ...pictureIn(request), walletUrl: served.addresses.walletUrl };
      await editLogo(admin, who, { brand, version: Number(query.version), logo });
      return await viewSettings(accounts, admin, who.member, (await brandOf(dashboard, who, params)).brand);
    });
    mountMember(scope, dashboard, deleteLogo, async (who, { params, query }) => {
      const { brand, admin } = await brandOf(dashboard, who, params);
      await editLogo(admin, who, { brand, version: Number(query.version), logo: null });
      return await viewSettings(accounts, admin, who.member, (await brandOf(dashboard, who, params)).brand);
    });
  });
}
