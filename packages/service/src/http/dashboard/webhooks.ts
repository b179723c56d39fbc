import type { Environment } from "@countersign/contract/brand";
import * as contract from "@countersign/contract/dashboard-webhooks";
import { maskedAddress } from "@countersign/contract/masked-address";
import { mayAs } from "@countersign/contract/member";
import type { FastifyInstance } from "fastify";
import { replayForMember, revealToMember } from "../../domain/account/reveal.ts";
import { assertMay } from "../../domain/brand/permission.ts";
import type { Brand, HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { findBrandOfDelivery } from "../../domain/webhook/delivery-rows.ts";
import {
  defineEndpoint,
  deleteEndpoint,
  editEndpoint,
  needsAttention,
  rotateSecret,
} from "../../domain/webhook/endpoint.ts";
import { findEndpoint, listEndpoints, type WebhookEndpoint } from "../../domain/webhook/endpoint-rows.ts";
import { listLastAttempts, pageDeliveries, viewDelivery } from "../../domain/webhook/inspect.ts";
import { testEndpoint } from "../../domain/webhook/test-event.ts";
import { cellAbout } from "../cell.ts";
import { brandOf, type Dashboard, mountMember, type Visitor } from "./guard.ts";

type OfEnvironment = { brand: string; environment: Environment };

/** A brand's webhooks and their deliveries. */
export function routesWebhooks(app: FastifyInstance, dashboard: Dashboard): void {
  endpointRoutes(app, dashboard);
  changeRoutes(app, dashboard);
  deliveryRoutes(app, dashboard);
}

function endpointRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  mountMember(app, dashboard, contract.listWebhooks, async (who, { params }) => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    const isOpen = mayAs(who.member.role, "developer");
    const now = homeDeps.clock.now();
    const endpoints = await listLasting(homeDeps, brandUuid);
    return { data: endpoints.map((one) => ({ ...lineOf(one, now), ...(isOpen ? { url: one.secrets.url } : {}) })) };
  });
  mountMember(app, dashboard, contract.listWebhookAttempts, async (who, { params }) => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    const endpoints = await listLasting(homeDeps, brandUuid);
    return {
      data: await listLastAttempts(
        homeDeps,
        endpoints.map(({ uuid }) => uuid),
      ),
    };
  });
  mountMember(app, dashboard, contract.createWebhook, async (who, { params, body }) => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    const { uuid, signingSecret } = await defineEndpoint(homeDeps, brandUuid, body, who);
    return { uuid, signingSecret };
  });
}

/** A brand's webhooks, without the temporary ones of `countersign listen`, because members cannot set them up. */
async function listLasting(homeDeps: HomeDeps, brandUuid: string): Promise<WebhookEndpoint[]> {
  return (await listEndpoints(homeDeps, brandUuid)).filter(({ heardAt }) => heardAt === null);
}

function lineOf({ uuid, secrets, ...endpoint }: WebhookEndpoint, now: number) {
  const { previousSecretUntil, createdAt, disabledAt, failingSince, events } = endpoint;
  const overlaps = secrets.previousSecret !== null && now < (previousSecretUntil ?? 0);
  return {
    uuid,
    url: maskedAddress(secrets.url),
    authentication: secrets.authentication.type,
    events: [...events],
    createdAt,
    disabledAt,
    previousSecretUntil: overlaps ? previousSecretUntil : null,
    failingSince,
    needsAttention: needsAttention(endpoint, now),
  };
}

function changeRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const atEndpoint = async (who: Visitor, params: OfEnvironment & { webhook: string }): Promise<HomeDeps> => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    const endpoint = await findEndpoint(homeDeps, homeDeps.home, params.webhook);
    if (endpoint === null || endpoint.brandUuid !== brandUuid) throw refuse(404, "No such webhook.");
    return homeDeps;
  };
  mountMember(app, dashboard, contract.patchWebhook, async (who, { params, body }) =>
    editEndpoint(await atEndpoint(who, params), params.webhook, body, who),
  );
  mountMember(app, dashboard, contract.rotateWebhookSecret, async (who, { params }) =>
    rotateSecret(await atEndpoint(who, params), params.webhook, who),
  );
  mountMember(app, dashboard, contract.deleteWebhook, async (who, { params }) =>
    deleteEndpoint(await atEndpoint(who, params), params.webhook, who),
  );
  mountMember(app, dashboard, contract.testWebhook, async (who, { params }) => ({
    delivery: await testEndpoint(await atEndpoint(who, params), { uuid: params.webhook }, who),
  }));
}

function deliveryRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const inCell = (homeDeps: HomeDeps, { delivery: uuid }: { delivery: string }) => cellAbout(homeDeps, { uuid });
  mountMember(app, dashboard, contract.listWebhookDeliveries, async (who, { params, query }) => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    return await pageDeliveries(homeDeps, brandUuid, query);
  });
  mountMember(app, dashboard, contract.readWebhookDelivery, async (who, { params }) => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    return await viewDelivery(await inCell(homeDeps, params), { brandUuid, uuid: params.delivery });
  });
  mountMember(app, dashboard, contract.revealWebhookDelivery, async (who, { params }) => {
    const { homeDeps, brand } = await contextOf(dashboard, who, params);
    assertMay(brand, "read");
    return await revealToMember(await inCell(homeDeps, params), brand, who, params.delivery);
  });
  mountMember(app, dashboard, contract.replayWebhookDelivery, async (who, { params }) => {
    const { homeDeps, brand, brandUuid } = await contextOf(dashboard, who, params);
    assertMay(brand, "read");
    const deps = await inCell(homeDeps, params);
    if ((await findBrandOfDelivery(deps, params.delivery)) !== brandUuid) throw refuse(404, "No such delivery.");
    await replayForMember(deps, brand, who, params.delivery);
  });
}

/** The brand and the environment's dependencies. Throws 409 if this service does not run the environment. */
async function contextOf(
  dashboard: Dashboard,
  who: Visitor,
  params: OfEnvironment,
): Promise<{ homeDeps: HomeDeps; brand: Brand; brandUuid: string }> {
  const { environment } = params;
  const { brand } = await brandOf(dashboard, who, params);
  const homeDeps = dashboard.environments[environment];
  if (homeDeps === undefined) throw refuse(409, `This service does not run the ${environment} environment.`);
  return { homeDeps, brand, brandUuid: brand.uuid };
}
