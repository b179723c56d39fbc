import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { markDeprecated } from "../deprecation.ts";
import type { Guard } from "../mount.ts";
import { routesClient } from "./client.ts";
import { routesHealth } from "./health.ts";
import { routesIssuance } from "./issuance.ts";
import { routesOneClick } from "./one-click.ts";
import { routesVerifications } from "./verifications.ts";

const refusedUnder21 = ["hosted", "semiHosted", "v1"];
const oldTypes = ["hosted", "semiHosted", "nonHosted", "v1"];

/** v2.0 and v2.1 share these paths. The brand's integration type determines which paths it may use. */
export function routesV2(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const brand: Guard<Caller> = async (request, reply) => {
    const caller = await guards.brand(request, reply);
    const { integrationType } = caller.brand.settings;
    if (request.routeOptions.url?.startsWith("/v2.1/") === true && refusedUnder21.includes(integrationType)) {
      throw fail("ERR001", {}, `A brand of integration type ${integrationType} cannot use /v2.1.`);
    }
    if (oldTypes.includes(integrationType)) markDeprecated(reply);
    return caller;
  };
  routesVerifications(app, homeDeps, { brand, open: guards.open });
  routesClient(app, homeDeps, brand);
  routesIssuance(app, homeDeps, { brand, open: guards.open });
  routesHealth(app, homeDeps, { brand, open: guards.open });
  routesOneClick(app, homeDeps, brand);
}
