/**
 * Webhooks for a machine without a public URL. A listener on that machine fetches the requests and reports the results.
 */
import type { Static } from "typebox";
import { webhookEvents } from "../brand-api/webhook.ts";
import { endpointsOf } from "../endpoint.ts";
import { described, Millis, stringEnum, t, Uuid } from "../primitives.ts";

const forControl = endpointsOf({ tag: "Sandbox control", auth: "sandboxControl" });
const params = t.Object({ uuid: described(Uuid, "The id of the listener, which is also the id of its webhook.") });
const brand = t.Optional(described(Uuid, "The brand. Default: the key's brand."));
const uuid = "c8a1d7f0-6b1e-4c57-9a3d-2f0b7e5d4a19";
const delivery = "0b6f2f4e-8c1d-4f3a-b7a2-5e9d1c3f7a60";
/** The body of a test event. */
const testEvent = {
  event: "1-click.health.lookup",
  test: true,
  healthDataUuid: "7d7f3b1e-3c51-4a6c-9a7e-0d0f5b8f2c11",
  status: "SUCCEEDED",
  results: [
    {
      memberId: "TEST-MEMBER",
      payer: { name: "Test payer", vendorId: "V000000", ids: ["TEST"], logoUrl: "https://example.com/payer.svg" },
      verificationMethod: "clearinghouse",
      coverageTypes: ["medical"],
      serviceTypeCodes: ["30"],
      isMedicare: false,
      eligibility: {
        coverageStatus: "active",
        coverageType: ["medical"],
        serviceTypeCodes: ["30"],
        payer: { name: "Test payer" },
        member: {
          memberId: "TEST-MEMBER",
          fullName: { firstName: "Test", lastName: "Event" },
          birthDate: "1900-01-01",
        },
        plan: { name: "Test plan", groupNumber: "TEST-GROUP", groupName: "Test group", insuranceTypeCodes: ["PR"] },
        benefits: [{ type: "copay", level: "individual", network: "in", amount: "30.00" }],
      },
      network: { status: "INDETERMINATE", rules: [] },
    },
  ],
  externalReference: "webhook-test",
  sentAt: 1_767_355_200_000,
};

/** Why no response arrived: the same fixed kinds as in the attempts of a delivery, never free text. */
export const forwardErrors = [
  "address not allowed",
  "timeout",
  "name not found",
  "connection refused",
  "certificate not valid",
  "connection failed",
] as const;

/** How long one call waits for a delivery. */
export const listenWaitMs = 20_000;

/** A webhook request, exactly as the service would have sent it. */
export const Forward = t.Object({
  delivery: described(Uuid, "The delivery's id."),
  event: t.String({ description: "The event's name." }),
  /** The first is 1. */
  attempt: t.Integer({ minimum: 1, description: "The number of the attempt. The first is 1." }),
  at: described(Millis, "When the attempt began, in Unix milliseconds."),
  headers: described(t.Record(t.String(), t.String()), "The request's headers."),
  body: t.String({ description: "The request's body, exactly as signed." }),
});
export type Forward = Static<typeof Forward>;

export const createListener = forControl("createSandboxListener", "POST /sandbox/listeners", {
  summary: "Create a webhook whose requests are fetched instead of sent",
  description:
    "`countersign listen` uses this call. A listener gets every event. `brand` defaults to the key's brand. `forward` is shown, never called. A " +
    "listener without a request for a minute counts as gone, and its webhook is deleted later.",
  body: t.Object({
    brand,
    forward: t.String({
      minLength: 1,
      maxLength: 2000,
      description: "The URL to which you forward requests. It is only shown.",
    }),
  }),
  reply: t.Object({
    uuid: described(Uuid, "The listener's id, which is also the id of its webhook."),
    brand: described(Uuid, "The brand whose events are fetched."),
    signingSecret: t.String({ description: "The secret that signs requests." }),
  }),
  status: 201,
  refusals: [404, 409],
  example: {
    body: { forward: "http://localhost:9000/hook" },
    reply: {
      uuid,
      brand: "b0000000-0000-4000-8000-000000000001",
      signingSecret: "whsec_7q8xDr3xG02OOhLpxhDybZknqL6riw6aVZsbJz0K5Jg=",
    },
  },
});

export const takeForwards = forControl("takeSandboxForwards", "POST /sandbox/listeners/:uuid/take", {
  summary: "Fetch the requests that wait for a listener",
  description:
    "Waits up to 20 seconds for the first request. Each request is returned once and counts as failed after 30 seconds.",
  params,
  reply: t.Object({ data: described(t.Array(Forward), "The requests. Empty if none came within 20 seconds.") }),
  refusals: [404],
  example: {
    params: { uuid },
    reply: {
      data: [
        {
          delivery,
          event: "1-click.health.lookup",
          attempt: 1,
          at: 1_767_355_200_000,
          headers: {
            "content-type": "application/json",
            "user-agent": "Countersign-Webhook/1.0",
            "x-webhook-timestamp": "1767355200",
            "x-webhook-signature": "v1=5b0f3f9c2a7d4e6b8c1d0e2f4a6b8c0d1e3f5a7b9c2d4e6f8a0b1c3d5e7f9a2b",
          },
          body: JSON.stringify(testEvent),
        },
      ],
    },
  },
});

export const answerForward = forControl("answerSandboxForward", "POST /sandbox/listeners/:uuid/answers", {
  summary: "Report the result of a fetched request",
  description: "Either `httpStatus` or `error`. The service records it as the delivery's attempt.",
  about: { uuid: "body.delivery" },
  params,
  body: t.Object({
    delivery: described(Uuid, "The delivery's id."),
    httpStatus: t.Optional(
      t.Integer({ minimum: 100, maximum: 599, description: "The status of the receiver's response." }),
    ),
    error: t.Optional(described(stringEnum(...forwardErrors), "Why no response arrived.")),
    durationMs: t.Integer({ minimum: 0, maximum: 3_600_000, description: "How long the call took, in milliseconds." }),
  }),
  reply: t.Object({}),
  refusals: [404, 409],
  example: { params: { uuid }, body: { delivery, httpStatus: 204, durationMs: 12 }, reply: {} },
});

export const deleteSandboxWebhook = forControl("deleteSandboxWebhook", "DELETE /sandbox/webhooks/:uuid", {
  summary: "Delete a webhook or listener",
  description: "Its pending deliveries end, and the bodies of past deliveries are erased.",
  params,
  reply: t.Object({}),
  refusals: [404],
  example: { params: { uuid }, reply: {} },
});

export const triggerEvent = forControl("triggerSandboxEvent", "POST /sandbox/events", {
  summary: "Send a test event to each active webhook of a brand that gets this event",
  description:
    'Signed and delivered like a real event, without real personal data, with `"test": true` in its body. 409 if no webhook gets the event.',
  body: t.Object({ brand, event: described(stringEnum(...webhookEvents), "The event to send.") }),
  reply: t.Object({ deliveries: described(t.Array(Uuid), "The ids of the deliveries, one per webhook.") }),
  status: 202,
  refusals: [404, 409],
  example: { body: { event: "1-click.health.lookup" }, reply: { deliveries: [delivery] } },
});

export const listenerEndpoints = [createListener, takeForwards, answerForward, deleteSandboxWebhook, triggerEvent];
