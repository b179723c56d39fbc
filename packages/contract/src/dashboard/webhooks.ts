/** Dashboard endpoints for webhooks, their deliveries and the results. */

import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { ChosenEvents, Delivery, WebhookAuthentication, webhookEvents } from "../brand-api/webhook.ts";
import { anyOf, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { forRole, Nothing, ofEnvironment } from "./shapes.ts";

const forViewer = forRole("viewer", { refusals: [404, 409] });
const forDeveloper = forRole("developer", { refusals: [404, 409] });
const Address = t.String({ minLength: 1, maxLength: 2000 });
const ofWebhook = t.Object({ brand: Uuid, environment: Environment, webhook: Uuid });
const ofDelivery = t.Object({ brand: Uuid, environment: Environment, delivery: Uuid });

const WebhookLine = t.Object({
  uuid: Uuid,
  /** Viewers get it masked, because its path and query may contain secrets. */
  url: t.String(),
  /** Only the kind. The credentials are never returned. */
  authentication: stringEnum("none", "apiKey", "basic"),
  events: ChosenEvents,
  createdAt: Millis,
  /** When the webhook was disabled. */
  disabledAt: anyOf(Millis, t.Null()),
  /** The previous secret also signs until this time. */
  previousSecretUntil: anyOf(Millis, t.Null()),
  /** The first failed attempt since the last success. */
  failingSince: anyOf(Millis, t.Null()),
  /** Whether the webhook has failed for so long that a member should check it. */
  needsAttention: t.Boolean(),
});
export type WebhookLine = Static<typeof WebhookLine>;

export const listWebhooks = forViewer("listWebhooks", "GET /api/brands/:brand/:environment/webhooks", {
  summary: "A brand's webhooks, without their secrets",
  params: ofEnvironment,
  reply: t.Object({ data: t.Array(WebhookLine) }),
});

export const createWebhook = forDeveloper("createWebhook", "POST /api/brands/:brand/:environment/webhooks", {
  summary: "Create a webhook; its signing secret is shown once",
  params: ofEnvironment,
  body: t.Object({ url: Address, authentication: WebhookAuthentication, events: t.Optional(ChosenEvents) }),
  reply: t.Object({ uuid: Uuid, signingSecret: t.String() }),
  status: 201,
});

export const patchWebhook = forDeveloper("patchWebhook", "PATCH /api/brands/:brand/:environment/webhooks/:webhook", {
  summary: "Change a webhook's URL, authentication or events, or switch it on or off",
  params: ofWebhook,
  body: t.Object({
    url: t.Optional(Address),
    authentication: t.Optional(WebhookAuthentication),
    events: t.Optional(ChosenEvents),
    enabled: t.Optional(t.Boolean()),
  }),
  reply: Nothing,
});

export const rotateWebhookSecret = forDeveloper(
  "rotateWebhookSecret",
  "POST /api/brands/:brand/:environment/webhooks/:webhook/rotate",
  {
    summary: "Replace a signing secret; the old one also signs for 24 hours",
    params: ofWebhook,
    body: Nothing,
    bodyOptional: true,
    reply: t.Object({ signingSecret: t.String(), previousSecretUntil: Millis }),
    status: 201,
  },
);

export const deleteWebhook = forDeveloper("deleteWebhook", "DELETE /api/brands/:brand/:environment/webhooks/:webhook", {
  summary: "Delete a webhook; its pending deliveries end, and the bodies of past deliveries are erased",
  params: ofWebhook,
  reply: Nothing,
});

export const testWebhook = forDeveloper("testWebhook", "POST /api/brands/:brand/:environment/webhooks/:webhook/test", {
  summary: "Send a test event, signed and delivered like a real one",
  params: ofWebhook,
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ delivery: Uuid }),
  status: 202,
});

const DeliveryStatus = stringEnum("pending", "delivered", "deadLettered");
/** Position in the list of deliveries: time and UUID. */
const Cursor = t.String({ pattern: "^[0-9]{1,15}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" });
const DeliveryLine = t.Object({
  uuid: Uuid,
  event: t.String(),
  /** Absent for the v1 push and for a deleted webhook. */
  webhook: t.Optional(Uuid),
  /** The masked URL. Absent if `webhook` is absent. */
  address: t.Optional(t.String()),
  /** What the event is about. Absent for a test event. */
  subject: t.Optional(Uuid),
  isTest: t.Boolean(),
  /** Whether the body was erased. An erased delivery cannot be read or sent again. */
  isErased: t.Boolean(),
  createdAt: Millis,
  status: DeliveryStatus,
  attempts: t.Array(
    /** `hasText`: whether the answer had a text, which a member can reveal. */
    t.Object({ ...Delivery.properties.attempts.items.properties, hasText: t.Boolean() }),
  ),
  nextAttemptAt: t.Optional(Millis),
});
export type DeliveryLine = Static<typeof DeliveryLine>;
const DeliveryPage = t.Object({
  data: t.Array(DeliveryLine),
  hasOlder: t.Boolean(),
  hasNewer: t.Boolean(),
  cursors: t.Object({ older: t.Optional(Cursor), newer: t.Optional(Cursor) }),
});
export type DeliveryPage = Static<typeof DeliveryPage>;

export const listWebhookDeliveries = forViewer(
  "listWebhookDeliveries",
  "GET /api/brands/:brand/:environment/deliveries",
  {
    summary: "Deliveries, newest first, with every attempt",
    params: ofEnvironment,
    query: t.Object({
      webhook: t.Optional(Uuid),
      status: t.Optional(DeliveryStatus),
      /** A kind of event, or the test events. */
      event: t.Optional(stringEnum(...webhookEvents, "user.credentials.push", "test")),
      older: t.Optional(Cursor),
      newer: t.Optional(Cursor),
    }),
    reply: DeliveryPage,
  },
);

const Mark = t.Object({
  delivery: Uuid,
  event: t.String(),
  /** When the attempt was made, or when the waiting one is due. */
  at: Millis,
  result: stringEnum("delivered", "failed", "waiting"),
  /** The status or the error of a failed attempt. */
  answer: t.Optional(t.String()),
});
export type AttemptMark = Static<typeof Mark>;
/** How many attempts of a webhook are listed, and of how many of its newest deliveries. */
export const marksMax = 50;

export const listWebhookAttempts = forViewer(
  "listWebhookAttempts",
  "GET /api/brands/:brand/:environment/webhook-attempts",
  {
    summary: "The last attempts of each webhook, among its 50 newest deliveries; oldest first",
    params: ofEnvironment,
    reply: t.Object({ data: t.Array(t.Object({ webhook: Uuid, attempts: t.Array(Mark) })) }),
  },
);

const DeliveryView = t.Object({
  delivery: DeliveryLine,
  /**
   * The JSON of the body, in which every value that may be personal data is masked. Absent after the body is erased.
   */
  masked: t.Optional(t.String()),
});
export type DeliveryView = Static<typeof DeliveryView>;

export const readWebhookDelivery = forViewer(
  "readWebhookDelivery",
  "GET /api/brands/:brand/:environment/deliveries/:delivery",
  {
    summary: "One delivery, with its body masked",
    params: ofDelivery,
    reply: DeliveryView,
  },
);

export const revealWebhookDelivery = forDeveloper(
  "revealWebhookDelivery",
  "POST /api/brands/:brand/:environment/deliveries/:delivery/reveal",
  {
    summary: "The body exactly as it is sent, and what the receiver answered; the audit log records who read them",
    params: ofDelivery,
    refusals: [403, 404, 409],
    body: Nothing,
    bodyOptional: true,
    reply: t.Object({
      body: t.String(),
      /** The first 1,024 characters of each answer that had a text, by the time of its attempt. */
      answers: t.Array(t.Object({ at: Millis, text: t.String() })),
    }),
  },
);

export const replayWebhookDelivery = forDeveloper(
  "replayWebhookDelivery",
  "POST /api/brands/:brand/:environment/deliveries/:delivery/replay",
  {
    summary: "Deliver an event again, with a new `sentAt`, timestamp and signature",
    params: ofDelivery,
    refusals: [403, 404, 409],
    body: Nothing,
    bodyOptional: true,
    reply: Nothing,
    status: 202,
  },
);
