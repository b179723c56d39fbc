import { deleteLogo, putLogo } from "@countersign/contract/dashboard-logo";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { editLogo } from "../../domain/member/brands.ts";
import { viewSettings } from "../../domain/member/settings-view.ts";
import { pictureOf, takePictures } from "../picture-body.ts";
import { brandOf, type Desk, mountMember } from "./guard.ts";

/** A brand's logo, stored and served by the wallet of its environment. */
export function routesLogo(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  app.register(async (scope) => {
    takePictures(scope);
    mountMember(scope, desk, putLogo, async (who, { params, query }, request) => {
      const { brand, admin } = await brandOf(desk, who, params);
      const served = desk.environments[params.environment];
      if (served === undefined)
        throw refuse(409, `The ${params.environment} environment does not run here, so no wallet can serve the logo.`);
      const logo = { ...pictureOf(request), walletUrl: served.addresses.walletUrl };
      await editLogo(accounts, admin, who, { brandUuid: brand.uuid, version: Number(query.version), logo });
      return await viewSettings(accounts, admin, (await brandOf(desk, who, params)).brand);
    });
    mountMember(scope, desk, deleteLogo, async (who, { params, query }) => {
      const { brand, admin } = await brandOf(desk, who, params);
      await editLogo(accounts, admin, who, { brandUuid: brand.uuid, version: Number(query.version), logo: null });
      return await viewSettings(accounts, admin, (await brandOf(desk, who, params)).brand);
    });
  });
}
