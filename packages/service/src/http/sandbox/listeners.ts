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
import type { Driver } from "./guard.ts";

/** Maximum number of a customer's calls that wait in this process at once, because each one polls the database. */
export const waitingMax = 50;

/** Webhooks that a developer's machine fetches, and test events for them. */
export function routesListeners(app: FastifyInstance, homeDeps: HomeDeps, mounting: Mounting<Driver>): void {
  const own = async ({ customerUuid, brandUuid }: Driver, named: string | undefined): Promise<string> => {
    const uuid = named ?? brandUuid;
    if (uuid === null) throw invalid([{ path: "body.brand", message: "This is required without an API key." }]);
    const brand = await findOwnBrand(homeDeps.home, homeDeps.environment, customerUuid, uuid);
    if (brand === null) throw refuse(404, "No such brand.");
    return brand.uuid;
  };
  const ownWebhook = async ({ customerUuid }: Driver, uuid: string): Promise<string> => {
    const endpoint = await findEndpoint(homeDeps, homeDeps.home, uuid);
    const brand =
      endpoint === null
        ? null
        : await findOwnBrand(homeDeps.home, homeDeps.environment, customerUuid, endpoint.brandUuid);
    // Refuse another customer's webhook like an unknown one.
    if (brand === null) throw refuse(404, "No such webhook.");
    return uuid;
  };
  const waiting = new Map<string, number>();
  const whileWaiting = async <Answer>({ customerUuid }: Driver, wait: () => Promise<Answer>): Promise<Answer> => {
    const before = waiting.get(customerUuid) ?? 0;
    if (before >= waitingMax)
      throw refuse(429, `At most ${waitingMax} calls can wait at once; wait and try again.`, { "retry-after": "1" });
    waiting.set(customerUuid, before + 1);
    try {
      return await wait();
    } finally {
      waiting.set(customerUuid, (waiting.get(customerUuid) ?? 1) - 1);
    }
  };
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  mount(app, contract.createListener, mounting, async (driver, { body }) => {
    const brandUuid = await own(driver, body.brand);
    const { uuid, signingSecret } = await openListener(homeDeps, { brandUuid, forward: body.forward }, driver.by);
    return { uuid, brand: brandUuid, signingSecret };
  });
  mount(app, contract.takeForwards, mounting, async (driver, { params }, { request }) => {
    const uuid = await ownWebhook(driver, params.uuid);
    const disconnected = new AbortController();
    const onDisconnect = () => disconnected.abort();
    // One connection carries many polls, so each poll removes its listener.
    request.raw.socket.once("close", onDisconnect);
    const signal = AbortSignal.any([closing.signal, disconnected.signal]);
    try {
      return await whileWaiting(driver, async () => ({
        data: await takeForwards(homeDeps, { uuid, waitMs: contract.listenWaitMs, signal }),
      }));
    } finally {
      request.raw.socket.off("close", onDisconnect);
    }
  });
  mount(app, contract.answerForward, mounting, async (driver, { params, body }, { deps }) => {
    const uuid = await ownWebhook(driver, params.uuid);
    await answerForward(deps, { ...body, uuid });
  });
  mount(app, contract.deleteSandboxWebhook, mounting, async (driver, { params }) =>
    deleteEndpoint(homeDeps, await ownWebhook(driver, params.uuid), driver.by),
  );
  mount(app, contract.triggerEvent, mounting, async (driver, { body }) => ({
    deliveries: await triggerTest(homeDeps, { brandUuid: await own(driver, body.brand), event: body.event }, driver.by),
  }));
}
