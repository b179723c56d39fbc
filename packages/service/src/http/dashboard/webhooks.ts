import type { Environment } from "@countersign/contract/brand";
import * as contract from "@countersign/contract/dashboard-webhooks";
import { maskedAddress } from "@countersign/contract/masked-address";
import { mayAs } from "@countersign/contract/member";
import type { FastifyInstance } from "fastify";
import { replayForMember, revealToMember } from "../../domain/account/reveal.ts";
import type { Alongside } from "../../domain/brand/manage.ts";
import { assertMay } from "../../domain/brand/permission.ts";
import type { Brand, HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import type { AccountEntry } from "../../domain/member/account-audit-rows.ts";
import { findBrandOfDelivery } from "../../domain/webhook/delivery-rows.ts";
import {
  defineEndpoint,
  deleteEndpoint,
  type EndpointEdit,
  editEndpoint,
  needsAttention,
  rotateSecret,
} from "../../domain/webhook/endpoint.ts";
import { findEndpoint, listEndpoints, type WebhookEndpoint } from "../../domain/webhook/endpoint-rows.ts";
import { pageDeliveries, viewDelivery } from "../../domain/webhook/inspect.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import { brandOf, type Dashboard, mountMember, type Note, type Visitor } from "./guard.ts";

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
    // Omit the temporary webhooks of `countersign listen`, because members cannot set them up.
    const endpoints = (await listEndpoints(homeDeps, brandUuid)).filter(({ heardAt }) => heardAt === null);
    return { data: endpoints.map((one) => ({ ...lineOf(one, now), ...(isOpen ? { url: one.secrets.url } : {}) })) };
  });
  mountMember(app, dashboard, contract.createWebhook, async (who, { params, body }) => {
    const { homeDeps, brandUuid, note } = await contextOf(dashboard, who, params);
    // Parsing the URL is safe only after `defineEndpoint` has validated it.
    const { uuid, signingSecret } = await defineEndpoint(homeDeps, brandUuid, body, (trx) =>
      note({ action: "webhook.created", subject: maskedAddress(body.url) })(trx),
    );
    return { uuid, signingSecret };
  });
}

function lineOf({ uuid, secrets, ...endpoint }: WebhookEndpoint, now: number) {
  const { previousSecretUntil, createdAt, disabledAt, failingSince } = endpoint;
  const overlaps = secrets.previousSecret !== null && now < (previousSecretUntil ?? 0);
  return {
    uuid,
    url: maskedAddress(secrets.url),
    authentication: secrets.authentication.type,
    createdAt,
    disabledAt,
    previousSecretUntil: overlaps ? previousSecretUntil : null,
    failingSince,
    needsAttention: needsAttention(endpoint, now),
  };
}

function changeRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const atEndpoint = async (who: Visitor, params: OfEnvironment & { webhook: string }) => {
    const found = await contextOf(dashboard, who, params);
    const endpoint = await findEndpoint(found.homeDeps, found.homeDeps.home, params.webhook);
    if (endpoint === null || endpoint.brandUuid !== found.brandUuid) throw refuse(404, "No such webhook.");
    const noteAbout =
      (action: AccountEntry["action"]): Alongside<WebhookEndpoint> =>
      (trx, { secrets }) =>
        found.note({ action, subject: maskedAddress(secrets.url) })(trx);
    return { ...found, noteAbout };
  };
  mountMember(app, dashboard, contract.patchWebhook, async (who, { params, body }) => {
    const { homeDeps, note } = await atEndpoint(who, params);
    await editEndpoint(homeDeps, params.webhook, body, (trx, before) =>
      note({
        action: "webhook.changed",
        subject: maskedAddress(before.secrets.url),
        changes: changesOf(before, body),
      })(trx),
    );
  });
  mountMember(app, dashboard, contract.rotateWebhookSecret, async (who, { params }) => {
    const { homeDeps, noteAbout } = await atEndpoint(who, params);
    return await rotateSecret(homeDeps, params.webhook, noteAbout("webhook.rotated"));
  });
  mountMember(app, dashboard, contract.deleteWebhook, async (who, { params }) => {
    const { homeDeps, noteAbout } = await atEndpoint(who, params);
    await deleteEndpoint(homeDeps, homeDeps.cells.all(), params.webhook, noteAbout("webhook.deleted"));
  });
  mountMember(app, dashboard, contract.testWebhook, async (who, { params }) => {
    const { homeDeps, noteAbout } = await atEndpoint(who, params);
    return {
      delivery: await sendTest(homeDeps.cells.ofText(params.webhook), params.webhook, noteAbout("webhook.tested")),
    };
  });
}

/** The changes of a webhook, without secrets. */
function changesOf({ secrets, disabledAt }: WebhookEndpoint, edit: EndpointEdit) {
  const { url, authentication, enabled } = edit;
  const onOrOff = (isOn: boolean) => (isOn ? "on" : "off");
  return [
    ...(url === undefined || url === secrets.url
      ? []
      : [{ path: "url", from: maskedAddress(secrets.url), to: maskedAddress(url) }]),
    ...(authentication === undefined
      ? []
      : [{ path: "authentication", from: secrets.authentication.type, to: authentication.type }]),
    ...(enabled === undefined || enabled === (disabledAt === null)
      ? []
      : [{ path: "enabled", from: onOrOff(disabledAt === null), to: onOrOff(enabled) }]),
  ];
}

function deliveryRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  mountMember(app, dashboard, contract.listWebhookDeliveries, async (who, { params, query }) => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    return await pageDeliveries(homeDeps.cells.all(), brandUuid, query);
  });
  mountMember(app, dashboard, contract.readWebhookDelivery, async (who, { params }) => {
    const { homeDeps, brandUuid } = await contextOf(dashboard, who, params);
    return await viewDelivery(await homeDeps.cells.ofUuid(params.delivery), { brandUuid, uuid: params.delivery });
  });
  mountMember(app, dashboard, contract.revealWebhookDelivery, async (who, { params }) => {
    const { homeDeps, brand, note } = await contextOf(dashboard, who, params);
    assertMay(brand, "read");
    const by = { brand, apiKeyUuid: null, requestId: who.requestId };
    const alongside = note({ action: "delivery.revealed", subject: params.delivery.toLowerCase() });
    return await revealToMember(await homeDeps.cells.ofUuid(params.delivery), by, params.delivery, alongside);
  });
  mountMember(app, dashboard, contract.replayWebhookDelivery, async (who, { params }) => {
    const { homeDeps, brand, brandUuid, note } = await contextOf(dashboard, who, params);
    assertMay(brand, "read");
    const deps = await homeDeps.cells.ofUuid(params.delivery);
    if ((await findBrandOfDelivery(deps, params.delivery)) !== brandUuid) throw refuse(404, "No such delivery.");
    const by = { brand, apiKeyUuid: null, requestId: who.requestId };
    const alongside = note({ action: "delivery.replayed", subject: params.delivery.toLowerCase() });
    await replayForMember(deps, by, params.delivery, alongside);
  });
}

/**
 * The brand, the environment's dependencies, and a function that records changes. Throws 409 if this service does not
 * run the environment.
 */
async function contextOf(
  dashboard: Dashboard,
  who: Visitor,
  params: OfEnvironment,
): Promise<{ homeDeps: HomeDeps; brand: Brand; brandUuid: string; note(input: Note): Alongside }> {
  const { environment } = params;
  const { brand, note } = await brandOf(dashboard, who, params);
  const homeDeps = dashboard.environments[environment];
  if (homeDeps === undefined) throw refuse(409, `This service does not run the ${environment} environment.`);
  return { homeDeps, brand, brandUuid: brand.uuid, note };
}
