import { deleteSandboxLogo, putSandboxLogo } from "@countersign/contract/sandbox";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import { putLogo, removeLogo } from "../../domain/brand/logo.ts";
import type { AdminDeps } from "../../domain/brand/manage.ts";
import { withoutSecret } from "../../domain/brand/settings.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { notingRefusal } from "../../domain/member/brands.ts";
import { acceptOnlyImages, pictureIn } from "../body.ts";
import { type Mounting, mount } from "../mount.ts";
import type { Driver } from "./guard.ts";

/** A brand's logo in sandbox control. Only these paths accept images; all others return 415 for them. */
export function routesSandboxLogo(
  app: FastifyInstance,
  { homeDeps, admin }: { homeDeps: HomeDeps; admin: AdminDeps },
  mounting: Mounting<Driver>,
): void {
  const own = async (customerUuid: string, brandUuid: string): Promise<string> => {
    const brand = await findOwnBrand(homeDeps.home, homeDeps.environment, customerUuid, brandUuid);
    if (brand === null) throw refuse(404, "No such brand.");
    return brand.uuid;
  };
  app.register(async (scope) => {
    acceptOnlyImages(scope);
    mount(scope, putSandboxLogo, mounting, async ({ customerUuid, by }, { params }, { request }) => {
      const brandUuid = await own(customerUuid, params.uuid);
      const { walletUrl } = homeDeps.addresses;
      const settings = await notingRefusal(admin, by, brandUuid, () =>
        putLogo(admin, { brandUuid, ...pictureIn(request), walletUrl }, { by }),
      );
      return withoutSecret(settings);
    });
    mount(scope, deleteSandboxLogo, mounting, async ({ customerUuid, by }, { params }) => {
      const brandUuid = await own(customerUuid, params.uuid);
      return withoutSecret(await removeLogo(admin, brandUuid, { by }));
    });
  });
}
