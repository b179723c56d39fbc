import { deleteSandboxLogo, putSandboxLogo } from "@countersign/contract/sandbox";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import { putLogo, removeLogo } from "../../domain/brand/logo.ts";
import type { AdminDeps } from "../../domain/brand/manage.ts";
import { withoutSecret } from "../../domain/brand/settings.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { notingRefusal, settingsNote } from "../../domain/member/brands.ts";
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
    const deps = { clock: homeDeps.realClock, home: homeDeps.home };
    const targetOf = (brandUuid: string) => ({ brandUuid, environment: homeDeps.environment });
    const noteOn = ({ by }: Driver, brandUuid: string) => settingsNote(deps, by, targetOf(brandUuid));
    mount(scope, putSandboxLogo, mounting, async (driver, { params }, request) => {
      const brandUuid = await own(driver.customerUuid, params.uuid);
      const { walletUrl } = homeDeps.addresses;
      const settings = await notingRefusal(deps, driver.by, targetOf(brandUuid), () =>
        putLogo(admin, { brandUuid, ...pictureOf(request), walletUrl }, noteOn(driver, brandUuid)),
      );
      return withoutSecret(settings);
    });
    mount(scope, deleteSandboxLogo, mounting, async (driver, { params }) => {
      const brandUuid = await own(driver.customerUuid, params.uuid);
      return withoutSecret(await removeLogo(admin, brandUuid, noteOn(driver, brandUuid)));
    });
  });
}
