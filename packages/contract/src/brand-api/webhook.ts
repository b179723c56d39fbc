import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, described, Millis, stringEnum, t, Uuid } from "../primitives.ts";

const forControl = endpointsOf({ tag: "Sandbox control", auth: "sandboxControl" });
const id = (description: string) => t.Object({ uuid: described(Uuid, description) });
const webhook = id("The webhook's id.");
const headerName = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$";
const HeaderText = t.String({ minLength: 1, maxLength: 1000, pattern: "^[\\x20-\\x7e]+$" });

/** All webhook events, in the order of the catalog. */
export const webhookEvents = [
  "1-click.health.lookup",
  "1-click.signup.shared",
  "1-click.signup.declined",
  "1-click.signup.ended",
] as const;
export type WebhookEventName = (typeof webhookEvents)[number];
/** The events of a webhook that chose none. */
export const usualWebhookEvents: readonly WebhookEventName[] = ["1-click.health.lookup"];
/** The events that a webhook gets. */
export const ChosenEvents = t.Array(stringEnum(...webhookEvents), { minItems: 1, uniqueItems: true });

const uuid = "38152dc4-85a0-458a-a9da-c5e1b7f54dc6";
const url = "http://localhost:9000/hook";
const deliveryUuid = "0b6f2f4e-8c1d-4f3a-b7a2-5e9d1c3f7a60";
const delivered = {
  uuid: deliveryUuid,
  event: "1-click.health.lookup",
  healthDataUuid: "7d7f3b1e-3c51-4a6c-9a7e-0d0f5b8f2c11",
  status: "delivered",
};
const attempt = { at: 1_767_355_200_000, httpStatus: 200, durationMs: 12 };

/** RFC 7617: UTF-8 text without control characters. The first colon ends the username. */
const BasicUser = t.String({ minLength: 1, maxLength: 200, pattern: "^[^\\x00-\\x1f\\x7f:]+$" });
const BasicPassword = t.String({ minLength: 1, maxLength: 200, pattern: "^[^\\x00-\\x1f\\x7f]+$" });

/** How a webhook authenticates to the brand's receiver. Never returned by the API. */
export const WebhookAuthentication = anyOf(
  t.Object({ type: described(t.Literal("none"), "No authentication besides the signature.") }),
  t.Object({
    type: described(t.Literal("apiKey"), "A header with a fixed value."),
    header: t.String({ pattern: headerName, description: "The name of the header." }),
    value: described(HeaderText, "The value of the header."),
  }),
  t.Object({
    type: described(t.Literal("basic"), "HTTP basic authentication."),
    username: described(BasicUser, "The username, without a colon."),
    password: described(BasicPassword, "The password."),
  }),
);
export type WebhookAuthentication = Static<typeof WebhookAuthentication>;

const Attempt = t.Object({
  at: described(Millis, "When the attempt began, in Unix milliseconds."),
  httpStatus: t.Optional(t.Integer({ description: "The status of the response. Absent if there was none." })),
  error: t.Optional(t.String({ description: "Why no response arrived." })),
  durationMs: t.Integer({ minimum: 0, description: "How long the attempt took, in milliseconds." }),
  answer: t.Optional(
    t.String({ description: "The first 1,024 characters of the response. Only where a single delivery is read." }),
  ),
});

/** The delivery of one event to one receiver. */
export const Delivery = t.Object({
  uuid: described(Uuid, "The delivery's id."),
  event: t.String({ description: "The event's name." }),
  healthDataUuid: t.Optional(described(Uuid, "The lookup that the event is about.")),
  identityUuid: t.Optional(described(Uuid, "The 1-Click that the event is about.")),
  status: described(
    stringEnum("pending", "delivered", "deadLettered"),
    "Whether the receiver acknowledged it, or all attempts failed (`deadLettered`).",
  ),
  attempts: described(t.Array(Attempt), "Every attempt, oldest first."),
  nextAttemptAt: t.Optional(described(Millis, "When the next attempt is due, in Unix milliseconds.")),
});
export type Delivery = Static<typeof Delivery>;

export const createSandboxWebhook = forControl("createSandboxWebhook", "POST /sandbox/brands/:uuid/webhooks", {
  summary: "Create a webhook for a brand",
  description: "The signing secret is shown here and never again.",
  params: id("The brand's id."),
  body: t.Object({
    url: t.String({ minLength: 1, maxLength: 2000, description: "The receiver's URL." }),
    authentication: t.Optional(
      described(WebhookAuthentication, "How the service authenticates to the receiver. Default: only by signature."),
    ),
    events: t.Optional(described(ChosenEvents, "The events that it gets. Default: `1-click.health.lookup`.")),
  }),
  reply: t.Object({
    uuid: described(Uuid, "The webhook's id."),
    url: t.String({ description: "The receiver's URL." }),
    signingSecret: t.String({ description: "The secret that signs requests. It is shown only here." }),
  }),
  status: 201,
  refusals: [404],
  example: {
    params: { uuid: "b0000000-0000-4000-8000-000000000001" },
    body: { url, events: ["1-click.health.lookup", "1-click.signup.ended"] },
    reply: { uuid, url, signingSecret: "whsec_7q8xDr3xG02OOhLpxhDybZknqL6riw6aVZsbJz0K5Jg=" },
  },
});

export const rotateWebhook = forControl("rotateSandboxWebhook", "POST /sandbox/webhooks/:uuid/rotate", {
  summary: "Replace a webhook's signing secret",
  description: "For 24 hours both secrets sign requests.",
  params: webhook,
  body: t.Object({}),
  bodyOptional: true,
  reply: t.Object({ signingSecret: t.String({ description: "The new secret. It is shown only here." }) }),
  refusals: [404],
  example: {
    params: { uuid },
    body: {},
    reply: { signingSecret: "whsec_vUWE2+5GDlxKbbYV/IzbPHlEwFoaPFeZcWPf4c9VnfI=" },
  },
});

export const listDeliveries = forControl("listSandboxDeliveries", "GET /sandbox/webhooks/:uuid/deliveries", {
  summary: "A webhook's deliveries",
  description: "The newest first, at most 200, each with every attempt.",
  params: webhook,
  reply: t.Object({ data: described(t.Array(Delivery), "At most 200 deliveries.") }),
  refusals: [404],
  example: { params: { uuid }, reply: { data: [{ ...delivered, attempts: [attempt] }] } },
});

export const readDelivery = forControl("readSandboxDelivery", "GET /sandbox/deliveries/:uuid", {
  summary: "One delivery, with what the receiver answered",
  description: "The texts of the answers are erased together with the event's body.",
  about: { uuid: "params.uuid" },
  params: id("The delivery's id."),
  reply: Delivery,
  refusals: [404],
  example: {
    params: { uuid: deliveryUuid },
    reply: { ...delivered, attempts: [{ ...attempt, answer: "received" }] },
  },
});

export const replayDelivery = forControl("replaySandboxDelivery", "POST /sandbox/deliveries/:uuid/replay", {
  summary: "Deliver an event again",
  description: "The same event with a new `sentAt`, timestamp and signature.",
  about: { uuid: "params.uuid" },
  params: id("The delivery's id."),
  reply: t.Object({ uuid: described(Uuid, "The delivery's id.") }),
  status: 202,
  refusals: [403, 404, 409],
  example: { params: { uuid: deliveryUuid }, reply: { uuid: deliveryUuid } },
});

export const webhookEndpoints = [createSandboxWebhook, rotateWebhook, listDeliveries, readDelivery, replayDelivery];
