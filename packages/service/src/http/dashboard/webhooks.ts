import type { Environment } from "@countersign/contract/brand";
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  patchWebhook,
  readWebhookDelivery,
  replayWebhookDelivery,
  revealWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
} from "@countersign/contract/dashboard-webhooks";
import { mayAs } from "@countersign/contract/member";
import type { FastifyInstance } from "fastify";
import type { Alongside } from "../../domain/brand/manage.ts";
import type { Deps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { type AccountEntry, recordChange } from "../../domain/member/account-audit-rows.ts";
import { findBrandOfDelivery } from "../../domain/webhook/delivery-rows.ts";
import {
  addressWithoutQuery,
  defineEndpoint,
  deleteEndpoint,
  type EndpointEdit,
  editEndpoint,
  needsAttention,
  rotateSecret,
} from "../../domain/webhook/endpoint.ts";
import { findEndpoint, listEndpoints, type WebhookEndpoint } from "../../domain/webhook/endpoint-rows.ts";
import { pageDeliveries, revealDelivery, viewDelivery } from "../../domain/webhook/inspect.ts";
import { replayDelivery } from "../../domain/webhook/replay.ts";
import { sendTest } from "../../domain/webhook/test-event.ts";
import { brandOf, type Desk, mountMember, type Visitor } from "./guard.ts";

type OfEnvironment = { brand: string; environment: Environment };
type Note = Pick<AccountEntry, "action" | "subject" | "changes">;

/** A brand's webhooks and their deliveries. */
export function routesWebhooks(app: FastifyInstance, desk: Desk): void {
  endpointRoutes(app, desk);
  changeRoutes(app, desk);
  deliveryRoutes(app, desk);
}

function endpointRoutes(app: FastifyInstance, desk: Desk): void {
  mountMember(app, desk, listWebhooks, async (who, { params }) => {
    const { deps, brandUuid } = await at(desk, who, params);
    const isOpen = mayAs(who.member.role, "developer");
    const now = deps.clock.now();
    // Leave out the temporary webhooks of `countersign listen`: there is nothing to set up.
    const endpoints = (await listEndpoints(deps, brandUuid)).filter(({ heardAt }) => heardAt === null);
    return { data: endpoints.map((one) => ({ ...lineOf(one, now), ...(isOpen ? { url: one.secrets.url } : {}) })) };
  });
  mountMember(app, desk, createWebhook, async (who, { params, body }) => {
    const { deps, brandUuid, note } = await at(desk, who, params);
    // Only a URL that `defineEndpoint` has validated can be taken apart.
    const { uuid, signingSecret } = await defineEndpoint(deps, brandUuid, body, (trx) =>
      note({ action: "webhook.created", subject: addressWithoutQuery(body.url) })(trx),
    );
    return { uuid, signingSecret };
  });
}

function lineOf({ uuid, secrets, ...endpoint }: WebhookEndpoint, now: number) {
  const { previousSecretUntil, createdAt, disabledAt, failingSince } = endpoint;
  const overlaps = secrets.previousSecret !== null && now < (previousSecretUntil ?? 0);
  return {
    uuid,
    url: addressWithoutQuery(secrets.url),
    authentication: secrets.authentication.type,
    createdAt,
    disabledAt,
    previousSecretUntil: overlaps ? previousSecretUntil : null,
    failingSince,
    needsAttention: needsAttention(endpoint, now),
  };
}

function changeRoutes(app: FastifyInstance, desk: Desk): void {
  const about = async (who: Visitor, params: OfEnvironment & { webhook: string }) => {
    const found = await at(desk, who, params);
    const endpoint = await findEndpoint(found.deps, found.deps.db, params.webhook);
    if (endpoint === null || endpoint.brandUuid !== found.brandUuid)
      throw refuse(404, "There is no such webhook here.");
    const noteAbout =
      (action: AccountEntry["action"]): Alongside<WebhookEndpoint> =>
      (trx, { secrets }) =>
        found.note({ action, subject: addressWithoutQuery(secrets.url) })(trx);
    return { ...found, noteAbout };
  };
  mountMember(app, desk, patchWebhook, async (who, { params, body }) => {
    const { deps, note } = await about(who, params);
    await editEndpoint(deps, params.webhook, body, (trx, before) =>
      note({
        action: "webhook.changed",
        subject: addressWithoutQuery(before.secrets.url),
        changes: changesOf(before, body),
      })(trx),
    );
    return {};
  });
  mountMember(app, desk, rotateWebhookSecret, async (who, { params }) => {
    const { deps, noteAbout } = await about(who, params);
    return await rotateSecret(deps, params.webhook, noteAbout("webhook.rotated"));
  });
  mountMember(app, desk, deleteWebhook, async (who, { params }) => {
    const { deps, noteAbout } = await about(who, params);
    await deleteEndpoint(deps, params.webhook, noteAbout("webhook.deleted"));
    return {};
  });
  mountMember(app, desk, testWebhook, async (who, { params }) => {
    const { deps, noteAbout } = await about(who, params);
    return { delivery: await sendTest(deps, params.webhook, noteAbout("webhook.tested")) };
  });
}

/** The changes, without secrets. */
function changesOf({ secrets, disabledAt }: WebhookEndpoint, edit: EndpointEdit) {
  const { url, authentication, enabled } = edit;
  const word = (isOn: boolean) => (isOn ? "on" : "off");
  return [
    ...(url === undefined || url === secrets.url
      ? []
      : [{ path: "url", from: addressWithoutQuery(secrets.url), to: addressWithoutQuery(url) }]),
    ...(authentication === undefined
      ? []
      : [{ path: "authentication", from: secrets.authentication.type, to: authentication.type }]),
    ...(enabled === undefined || enabled === (disabledAt === null)
      ? []
      : [{ path: "enabled", from: word(disabledAt === null), to: word(enabled) }]),
  ];
}

function deliveryRoutes(app: FastifyInstance, desk: Desk): void {
  mountMember(app, desk, listWebhookDeliveries, async (who, { params, query }) => {
    const { deps, brandUuid } = await at(desk, who, params);
    return await pageDeliveries(deps, brandUuid, query);
  });
  mountMember(app, desk, readWebhookDelivery, async (who, { params }) => {
    const { deps, brandUuid } = await at(desk, who, params);
    return await viewDelivery(deps, { brandUuid, uuid: params.delivery });
  });
  mountMember(app, desk, revealWebhookDelivery, async (who, { params }) => {
    const { deps, brandUuid, note } = await at(desk, who, params);
    const about = { brandUuid, uuid: params.delivery };
    const alongside = note({ action: "delivery.revealed", subject: params.delivery.toLowerCase() });
    return { body: await revealDelivery(deps, about, alongside) };
  });
  mountMember(app, desk, replayWebhookDelivery, async (who, { params }) => {
    const { deps, brandUuid, note } = await at(desk, who, params);
    if ((await findBrandOfDelivery(deps, params.delivery)) !== brandUuid)
      throw refuse(404, "There is no such delivery here.");
    const alongside = note({ action: "delivery.replayed", subject: params.delivery.toLowerCase() });
    await replayDelivery(deps, params.delivery, alongside);
    return {};
  });
}

/**
 * The brand, the environment's dependencies, and a function that records changes. Throws 409 if this service does not
 * run the environment.
 */
async function at(
  desk: Desk,
  who: Visitor,
  params: OfEnvironment,
): Promise<{ deps: Deps; brandUuid: string; note(what: Note): Alongside }> {
  const { environment } = params;
  const { brand } = await brandOf(desk, who, params);
  const deps = desk.environments[environment];
  if (deps === undefined) throw refuse(409, `This service does not run the ${environment} environment.`);
  const note = (what: Note): Alongside => {
    return (trx) => recordChange(desk.accounts, trx, who, { ...what, brandUuid: brand.uuid, environment });
  };
  return { deps, brandUuid: brand.uuid, note };
}
