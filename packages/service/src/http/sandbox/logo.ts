import { deleteSandboxLogo, putSandboxLogo } from "@countersign/contract/sandbox";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import { putLogo, removeLogo } from "../../domain/brand/logo.ts";
import type { AdminDeps } from "../../domain/brand/manage.ts";
import { withoutSecret } from "../../domain/brand/settings.ts";
import type { Deps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { type Guard, mount } from "../mount.ts";
import { pictureOf, takePictures } from "../picture-body.ts";
import type { Driver } from "./guard.ts";

/** A brand's logo in sandbox control. Only these paths accept images; all others return 415 for them. */
export function routesLogo(
  app: FastifyInstance,
  { deps, admin }: { deps: Deps; admin: AdminDeps },
  guard: Guard<Driver>,
): void {
  const own = async (customerUuid: string, brandUuid: string): Promise<string> => {
    const brand = await findOwnBrand(deps.db, deps.environment, customerUuid, brandUuid);
    if (brand === null) throw refuse(404, "No such brand.");
    return brand.uuid;
  };
  app.register(async (scope) => {
    takePictures(scope);
    const about = { guard, prefixes: [""] };
    mount(scope, putSandboxLogo, about, async ({ customerUuid }, { params }, request) => {
      const brandUuid = await own(customerUuid, params.uuid);
      const { walletUrl } = deps.addresses;
      return withoutSecret(await putLogo(admin, { brandUuid, ...pictureOf(request), walletUrl }));
    });
    mount(scope, deleteSandboxLogo, about, async ({ customerUuid }, { params }) =>
      withoutSecret(await removeLogo(admin, await own(customerUuid, params.uuid))),
    );
  });
}
