import { createWebhook, listDeliveries, replayDelivery, rotateWebhook } from "@countersign/contract/webhook";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import type { Deps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { findBrandOfDelivery } from "../../domain/webhook/delivery-rows.ts";
import { defineEndpoint, rotateSecret } from "../../domain/webhook/endpoint.ts";
import { findEndpoint } from "../../domain/webhook/endpoint-rows.ts";
import { listDeliveries as list } from "../../domain/webhook/inspect.ts";
import { replayDelivery as replay } from "../../domain/webhook/replay.ts";
import { type Guard, mount } from "../mount.ts";
import type { Driver } from "./guard.ts";

/** Webhooks in sandbox control. Another customer's webhooks are refused like unknown ones. */
export function routesWebhooks(app: FastifyInstance, deps: Deps, guard: Guard<Driver>): void {
  const about = { guard, prefixes: [""] };
  const own = async (customerUuid: string, brandUuid: string | undefined): Promise<string> => {
    const brand =
      brandUuid === undefined ? null : await findOwnBrand(deps.db, deps.environment, customerUuid, brandUuid);
    if (brand === null) throw refuse(404, "No such webhook.");
    return brand.uuid;
  };
  mount(app, createWebhook, about, async ({ customerUuid }, { params, body }) => {
    const brandUuid = await own(customerUuid, params.uuid);
    return await defineEndpoint(deps, brandUuid, {
      url: body.url,
      authentication: body.authentication ?? { type: "none" },
    });
  });
  mount(app, rotateWebhook, about, async ({ customerUuid }, { params }) => {
    await own(customerUuid, (await findEndpoint(deps, deps.db, params.uuid))?.brandUuid);
    const { signingSecret } = await rotateSecret(deps, params.uuid);
    return { signingSecret };
  });
  mount(app, listDeliveries, about, async ({ customerUuid }, { params }) => {
    await own(customerUuid, (await findEndpoint(deps, deps.db, params.uuid))?.brandUuid);
    return { data: await list(deps, params.uuid) };
  });
  mount(app, replayDelivery, about, async ({ customerUuid }, { params }) => {
    await own(customerUuid, await findBrandOfDelivery(deps, params.uuid));
    await replay(deps, params.uuid);
    return { uuid: params.uuid };
  });
}
