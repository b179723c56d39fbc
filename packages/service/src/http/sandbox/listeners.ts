import * as contract from "@countersign/contract/listener";
import type { FastifyInstance } from "fastify";
import { findOwnBrand } from "../../domain/brand/brand-rows.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { invalid, refuse } from "../../domain/failure.ts";
import { deleteEndpoint } from "../../domain/webhook/endpoint.ts";
import { findEndpoint } from "../../domain/webhook/endpoint-rows.ts";
import { answerForward, openListener, takeForwards } from "../../domain/webhook/listener.ts";
import { triggerTest } from "../../domain/webhook/test-event.ts";
import { type Mounting, mount } from "../mount.ts";
import { type Driver, noted } from "./guard.ts";

/** Webhooks that a developer's machine fetches, and test events for them. */
export function routesListeners(app: FastifyInstance, edge: HomeDeps, about: Mounting<Driver>): void {
  const own = async ({ customerUuid, brandUuid }: Driver, named: string | undefined): Promise<string> => {
    const uuid = named ?? brandUuid;
    if (uuid === null) throw invalid([{ path: "body.brand", message: "This is required without an API key." }]);
    const brand = await findOwnBrand(edge.home, edge.environment, customerUuid, uuid);
    if (brand === null) throw refuse(404, "No such brand.");
    return brand.uuid;
  };
  const ownWebhook = async ({ customerUuid }: Driver, uuid: string): Promise<string> => {
    const endpoint = await findEndpoint(edge, edge.home, uuid);
    const brand =
      endpoint === null ? null : await findOwnBrand(edge.home, edge.environment, customerUuid, endpoint.brandUuid);
    // Refuse another customer's webhook like an unknown one.
    if (brand === null) throw refuse(404, "No such webhook.");
    return uuid;
  };
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  mount(app, contract.createListener, about, async (driver, { body }) => {
    const brandUuid = await own(driver, body.brand);
    const note = noted(edge, driver, { action: "listener.opened", brandUuid });
    const { uuid, signingSecret } = await openListener(edge, { brandUuid, forward: body.forward }, note);
    return { uuid, brand: brandUuid, signingSecret };
  });
  mount(app, contract.takeForwards, about, async (driver, { params }, request) => {
    const uuid = await ownWebhook(driver, params.uuid);
    const left = new AbortController();
    request.raw.socket.once("close", () => left.abort());
    const signal = AbortSignal.any([closing.signal, left.signal]);
    return { data: await takeForwards(edge, { uuid, waitMs: contract.listenWaitMs, signal }) };
  });
  mount(app, contract.answerForward, about, async (driver, { params, body }) => {
    const uuid = await ownWebhook(driver, params.uuid);
    await answerForward(await edge.cells.ofUuid(body.delivery), { ...body, uuid });
  });
  mount(app, contract.deleteSandboxWebhook, about, async (driver, { params }) =>
    deleteEndpoint(edge, edge.cells.all(), await ownWebhook(driver, params.uuid), (trx, { brandUuid }) =>
      noted(edge, driver, { action: "webhook.deleted", brandUuid })(trx),
    ),
  );
  mount(app, contract.triggerEvent, about, async (driver, { body }) => ({
    deliveries: await triggerTest(edge, await own(driver, body.brand), (trx, { brandUuid }) =>
      noted(edge, driver, { action: "webhook.tested", brandUuid })(trx),
    ),
  }));
}
