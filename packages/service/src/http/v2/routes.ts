import { createSession } from "@countersign/contract/session";
import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fail } from "../../domain/failure.ts";
import { integrations } from "../../domain/journey.ts";
import { makeSession } from "../../domain/session/make.ts";
import { newPersonMs, withMinimumDuration } from "../earliest-answer.ts";
import { allPrefixes, markDeprecated } from "../generations.ts";
import { type Guard, mount } from "../mount.ts";
import { routesHealth } from "./health.ts";
import { routesIssuance } from "./issuance.ts";
import { routesOneClick } from "./one-click.ts";
import { routesVerifications } from "./verifications.ts";

/** v2.0 and v2.1 share these paths. The brand's integration type determines which paths it may use. */
export function routesV2(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const brand: Guard<Caller> = async (request, reply) => {
    const caller = await guards.brand(request, reply);
    const { integrationType } = caller.brand.settings;
    const { calls, deprecated } = integrations[integrationType];
    if (request.routeOptions.url?.startsWith("/v2.1/") === true && calls !== "/v2.1") {
      const words = `A brand of integration type ${integrationType} cannot use /v2.1. Use ${calls}, or change its type.`;
      throw fail("ERR001", {}, words);
    }
    if (deprecated) markDeprecated(reply);
    return caller;
  };
  routesVerifications(app, homeDeps, { brand, open: guards.open });
  routesClient(app, homeDeps, brand);
  routesIssuance(app, homeDeps, { brand, open: guards.open });
  routesHealth(app, homeDeps, { brand, open: guards.open });
  routesOneClick(app, homeDeps, brand);
}

/** The endpoint that a brand's server needs for the SDK. */
function routesClient(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<Caller>): void {
  mount(app, createSession, { guard, prefixes: allPrefixes, homeDeps }, async (caller, { body }, { deps }) => {
    const { verificationUuid, phone, ...inputs } = body;
    const made = makeSession(deps, caller, { verificationUuid, phone, inputs });
    return { sessionKey: await withMinimumDuration(newPersonMs, made) };
  });
}
