import {
  createSandboxWebhook,
  listDeliveries,
  readDelivery,
  replayDelivery,
  rotateWebhook,
} from "@countersign/contract/webhook";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { findBrandOfDelivery } from "../../domain/webhook/delivery-rows.ts";
import { defineEndpoint, rotateSecret } from "../../domain/webhook/endpoint.ts";
import { findEndpoint } from "../../domain/webhook/endpoint-rows.ts";
import { listDeliveries as list, readDelivery as read } from "../../domain/webhook/inspect.ts";
import { replayDelivery as replay } from "../../domain/webhook/replay.ts";
import { type Mounting, mount } from "../mount.ts";
import type { Driver } from "./guard.ts";

/** Webhooks in sandbox control. Another customer's webhooks are refused like unknown ones. */
export function routesSandboxWebhooks(app: FastifyInstance, homeDeps: HomeDeps, mounting: Mounting<Driver>): void {
  const own = async (customerUuid: string, brandUuid: string | undefined, what = "webhook"): Promise<string> => {
    const brand =
      brandUuid === undefined ? null : await findOwnBrand(homeDeps.home, homeDeps.environment, customerUuid, brandUuid);
    if (brand === null) throw refuse(404, `No such ${what}.`);
    return brand.uuid;
  };
  mount(app, createSandboxWebhook, mounting, async (driver, { params, body }) => {
    const brandUuid = await own(driver.customerUuid, params.uuid, "brand");
    const endpoint = { ...body, authentication: body.authentication ?? { type: "none" as const } };
    return await defineEndpoint(homeDeps, brandUuid, endpoint, driver.by);
  });
  mount(app, rotateWebhook, mounting, async (driver, { params }) => {
    await own(driver.customerUuid, (await findEndpoint(homeDeps, homeDeps.home, params.uuid))?.brandUuid);
    const { signingSecret } = await rotateSecret(homeDeps, params.uuid, driver.by);
    return { signingSecret };
  });
  mount(app, listDeliveries, mounting, async ({ customerUuid }, { params }) => {
    await own(customerUuid, (await findEndpoint(homeDeps, homeDeps.home, params.uuid))?.brandUuid);
    return { data: await list(homeDeps, params.uuid) };
  });
  mount(app, readDelivery, mounting, async ({ customerUuid }, { params }, { deps }) => {
    const brandUuid = await own(customerUuid, await findBrandOfDelivery(deps, params.uuid), "delivery");
    return await read(deps, { brandUuid, uuid: params.uuid });
  });
  mount(app, replayDelivery, mounting, async (driver, { params }, { deps }) => {
    await own(driver.customerUuid, await findBrandOfDelivery(deps, params.uuid), "delivery");
    await replay(deps, params.uuid, { by: driver.by });
    return { uuid: params.uuid };
  });
}
