import { deleteSandboxLogo, putSandboxLogo } from "@countersign/contract/sandbox";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import { putLogo, removeLogo } from "../../domain/brand/logo.ts";
import type { AdminDeps } from "../../domain/brand/manage.ts";
import { withoutSecret } from "../../domain/brand/settings.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { settingsNote } from "../../domain/member/brands.ts";
import { type Mounting, mount } from "../mount.ts";
import { acceptOnlyImages, pictureOf } from "../picture-body.ts";
import type { Driver } from "./guard.ts";

/** A brand's logo in sandbox control. Only these paths accept images; all others return 415 for them. */
export function routesLogo(
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
    const noteOn = ({ by }: Driver, brandUuid: string) =>
      settingsNote({ clock: homeDeps.realClock }, by, { brandUuid, environment: homeDeps.environment });
    mount(scope, putSandboxLogo, mounting, async (driver, { params }, request) => {
      const brandUuid = await own(driver.customerUuid, params.uuid);
      const { walletUrl } = homeDeps.addresses;
      return withoutSecret(
        await putLogo(admin, { brandUuid, ...pictureOf(request), walletUrl }, noteOn(driver, brandUuid)),
      );
    });
    mount(scope, deleteSandboxLogo, mounting, async (driver, { params }) => {
      const brandUuid = await own(driver.customerUuid, params.uuid);
      return withoutSecret(await removeLogo(admin, brandUuid, noteOn(driver, brandUuid)));
    });
  });
}
