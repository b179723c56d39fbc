import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, Millis, oneOf, t, Uuid } from "../primitives.ts";

const forControl = endpointsOf({ tag: "Sandbox control", auth: "sandboxControl" });
const params = t.Object({ uuid: Uuid });
const headerName = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$";
const HeaderText = t.String({ minLength: 1, maxLength: 1000, pattern: "^[\\x20-\\x7e]+$" });

/** RFC 7617: UTF-8 text without control characters. The first colon ends the username. */
const BasicUser = t.String({ minLength: 1, maxLength: 200, pattern: "^[^\\x00-\\x1f\\x7f:]+$" });
const BasicPassword = t.String({ minLength: 1, maxLength: 200, pattern: "^[^\\x00-\\x1f\\x7f]+$" });

/** How a webhook authenticates to the brand's receiver. Never returned by the API. */
export const WebhookAuthentication = anyOf(
  t.Object({ type: t.Literal("none") }),
  t.Object({ type: t.Literal("apiKey"), header: t.String({ pattern: headerName }), value: HeaderText }),
  t.Object({ type: t.Literal("basic"), username: BasicUser, password: BasicPassword }),
);
export type WebhookAuthentication = Static<typeof WebhookAuthentication>;

const Attempt = t.Object({
  at: Millis,
  httpStatus: t.Optional(t.Integer()),
  error: t.Optional(t.String()),
  durationMs: t.Integer({ minimum: 0 }),
});

/** The delivery of one event to one receiver. */
export const Delivery = t.Object({
  uuid: Uuid,
  event: t.String(),
  healthDataUuid: t.Optional(Uuid),
  status: oneOf("pending", "delivered", "deadLettered"),
  attempts: t.Array(Attempt),
  nextAttemptAt: t.Optional(Millis),
});
export type Delivery = Static<typeof Delivery>;

export const createWebhook = forControl("createSandboxWebhook", "POST /sandbox/brands/:uuid/webhooks", {
  summary: "Create a webhook for a brand",
  description: "The signing secret is shown here and never again.",
  params,
  body: t.Object({
    url: t.String({ minLength: 1, maxLength: 2000 }),
    authentication: t.Optional(WebhookAuthentication),
  }),
  reply: t.Object({ uuid: Uuid, url: t.String(), signingSecret: t.String() }),
  status: 201,
  refusals: [404],
});

export const rotateWebhook = forControl("rotateSandboxWebhook", "POST /sandbox/webhooks/:uuid/rotate", {
  summary: "Replace a webhook's signing secret",
  description: "For 24 hours both secrets sign requests.",
  params,
  body: t.Object({}),
  bodyOptional: true,
  reply: t.Object({ signingSecret: t.String() }),
  refusals: [404],
});

export const listDeliveries = forControl("listSandboxDeliveries", "GET /sandbox/webhooks/:uuid/deliveries", {
  summary: "A webhook's deliveries, newest first, with every attempt",
  params,
  reply: t.Object({ data: t.Array(Delivery) }),
  refusals: [404],
});

export const replayDelivery = forControl("replaySandboxDelivery", "POST /sandbox/deliveries/:uuid/replay", {
  summary: "Deliver an event again",
  description: "The same event with a new `sentAt`, timestamp and signature.",
  params,
  reply: t.Object({ uuid: Uuid }),
  status: 202,
  refusals: [404, 409],
});

export const webhookEndpoints = [createWebhook, rotateWebhook, listDeliveries, replayDelivery];
