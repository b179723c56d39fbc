import { BrandSettings } from "../brand/brand.ts";
import { logoBytesMax, logoTypes } from "../brand/logo.ts";
import { changedSettings, settingsExample } from "../brand/settings-example.ts";
import { endpointsOf } from "../endpoint.ts";
import { anyOf, described, Email, Millis, Phone, stringEnum, t, Uuid } from "../primitives.ts";
import { dayMs } from "../time.ts";

const forControl = endpointsOf({ tag: "Sandbox control", auth: "sandboxControl" });
const Clock = t.Object({
  now: described(Millis, "The sandbox's time, in Unix milliseconds."),
  offsetMs: t.Integer({ minimum: 0, description: "How far the clock is ahead of real time, in milliseconds." }),
});
const Message = t.Object({
  id: described(Uuid, "The message's id."),
  to: described(anyOf(Phone, Email), "The phone or email address of the receiver."),
  from: t.String({ description: "The sender's name or number." }),
  /** Emails only. */
  subject: t.Optional(t.String({ description: "The subject of an email." })),
  body: t.String({ description: "The text, with the code or link." }),
  channel: described(stringEnum("sms", "email"), "Text message or email."),
  /** Texts only. Emails go to the account's members. */
  brandUuid: t.Optional(described(Uuid, "The brand that caused a text.")),
  sentAt: described(Millis, "When it was sent, in Unix milliseconds."),
});
const params = t.Object({ uuid: described(Uuid, "The brand's id.") });
const uuid = "f3cd8c0c-f26f-4aa9-ad39-92da9d209f77";
const withLogo = "http://localhost:4001/logo/8c1f6e0d9a215f0c2a529d3e4b868f4a.png";
/** Some members of the settings, at any depth. Other members keep their values; lists are replaced whole. */
const SettingsPatch = t.Unsafe<Record<string, unknown>>({
  type: "object",
  additionalProperties: true,
  description: "Some members of the brand settings, at any depth. A list replaces the whole list.",
});
/**
 * Omits the secret of the v1 push; `hasPushAuthorization` reports whether it is set. Every response with settings omits
 * it.
 */
const BrandView = t.Object({
  uuid: described(Uuid, "The brand's id."),
  name: t.String({ description: "The brand's name." }),
  settings: described(BrandSettings, "The brand's settings in the sandbox."),
  hasPushAuthorization: t.Boolean({
    description: "Whether the v1 push has an authorization value, which is never returned.",
  }),
});

/** Maximum time by which one call may move the clock: 400 days. */
export const clockAdvanceMaxMs = 400 * dayMs;

export const listMessages = forControl("listSandboxMessages", "GET /sandbox/messages", {
  summary: "The sandbox's texts, newest first; none is really sent",
  description:
    "Emails to members can sign them in. They are therefore listed only for the demo customers, whose keys are public.",
  query: t.Object({
    to: t.Optional(t.String({ maxLength: 64, description: "Only messages to this phone or email address." })),
  }),
  reply: t.Object({ data: described(t.Array(Message), "The messages, newest first.") }),
  example: {
    query: { to: "+12125550010" },
    reply: {
      data: [
        {
          id: "4e5b793f-fc3b-452e-a5fa-61615e609aeb",
          to: "+12125550010",
          from: "Countersign",
          body: "111111 is your code to verify your phone for Demo API (test). Do not share it.",
          channel: "sms",
          sentAt: 1_767_355_200_000,
          brandUuid: "b0000000-0000-4000-8000-000000000001",
        },
      ],
    },
  },
});

export const answerText = forControl("answerSandboxText", "POST /sandbox/messages", {
  summary: "Reply to a text as the phone's holder",
  description:
    "After `STOP` no brand's texts reach the phone (OCV011), until `START`. Anything else is ignored. Fixed people receive every text.",
  about: { phone: "body.from" },
  body: t.Object({
    from: described(Phone, "The phone that replies."),
    body: t.String({ maxLength: 1600, description: "The reply, such as `STOP` or `START`." }),
  }),
  reply: t.Object({ heeded: described(stringEnum("stopped", "started", "ignored"), "What the reply changed.") }),
  example: { body: { from: "+12135550147", body: "STOP" }, reply: { heeded: "stopped" } },
});

export const readClock = forControl("readSandboxClock", "GET /sandbox/clock", {
  summary: "The sandbox's time",
  description: "Every date and limit of the sandbox follows this clock.",
  reply: Clock,
  example: { reply: { now: 1_767_355_200_000, offsetMs: 0 } },
});

export const moveClock = forControl("moveSandboxClock", "POST /sandbox/clock", {
  summary: "Advance the sandbox's clock",
  description: "Runs every job that becomes due, in order, each at its due time, and answers when all are done.",
  body: t.Object({
    advanceMs: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: clockAdvanceMaxMs,
        description: "How far to advance, in milliseconds, at most 400 days. Give this or `now`.",
      }),
    ),
    now: t.Optional(described(Millis, "The time to advance to, in Unix milliseconds.")),
  }),
  reply: t.Object({
    now: described(Millis, "The sandbox's time, in Unix milliseconds."),
    offsetMs: t.Integer({ minimum: 0, description: "How far the clock is ahead of real time, in milliseconds." }),
    jobsRun: t.Integer({ minimum: 0, description: "How many jobs ran meanwhile." }),
  }),
  refusals: [403],
  example: { body: { advanceMs: 300_000 }, reply: { now: 1_767_355_500_000, offsetMs: 300_000, jobsRun: 1 } },
});

export const resetClock = forControl("resetSandboxClock", "DELETE /sandbox/clock", {
  summary: "Back to real time",
  description: "Data that was created while the clock was ahead keeps its dates.",
  reply: Clock,
  refusals: [403],
  example: { reply: { now: 1_767_355_200_000, offsetMs: 0 } },
});

export const createSandboxBrand = forControl("createSandboxBrand", "POST /sandbox/brands", {
  summary: "Create a brand and its API key",
  description: "The brand belongs to the customer of your key. A call without a key creates it for the demo customer.",
  body: t.Object({
    name: t.Optional(t.String({ minLength: 1, maxLength: 100, description: "The brand's name." })),
    settings: t.Optional(described(SettingsPatch, "Settings that differ from the defaults.")),
  }),
  reply: t.Object({
    uuid: described(Uuid, "The brand's id."),
    apiKey: t.String({ description: "The brand's API key. It is shown only here." }),
    settings: described(BrandSettings, "The brand's settings."),
  }),
  status: 201,
  example: {
    body: { name: "Pied Piper", settings: changedSettings },
    reply: { uuid, apiKey: "sk_sandbox_btEHUi5HxhppB7NJPAfk7D2ieH7y", settings: settingsExample },
  },
});

export const readSandboxBrand = forControl("readSandboxBrand", "GET /sandbox/brands/:uuid", {
  summary: "A brand and its settings",
  description: "Secrets are left out of the settings.",
  params,
  reply: BrandView,
  refusals: [404],
  example: {
    params: { uuid },
    reply: { uuid, name: "Pied Piper", settings: settingsExample, hasPushAuthorization: false },
  },
});

export const patchSandboxBrand = forControl("patchSandboxBrandSettings", "PATCH /sandbox/brands/:uuid/settings", {
  summary: "Change some of a brand's settings",
  description: "Members that the body does not name keep their values. The answer has all settings.",
  params,
  body: SettingsPatch,
  reply: BrandSettings,
  refusals: [404],
  example: {
    params: { uuid },
    body: { styling: { primaryColor: "#1D4ED8" } },
    reply: { ...settingsExample, styling: { ...settingsExample.styling, primaryColor: "#1D4ED8" } },
  },
});

export const putSandboxLogo = forControl("putSandboxBrandLogo", "PUT /sandbox/brands/:uuid/logo", {
  summary: "Upload a brand's logo",
  description:
    "The image itself, square or nearly, 16 to 512 pixels a side. Metadata (descriptions, camera data) is " +
    "removed. The wallet serves it at `styling.logoUrl`.",
  params,
  bytes: logoTypes,
  bodyLimit: logoBytesMax,
  reply: BrandSettings,
  refusals: [404, 413, 415],
  example: {
    params: { uuid },
    reply: { ...settingsExample, styling: { ...settingsExample.styling, logoUrl: withLogo } },
  },
});

export const deleteSandboxLogo = forControl("deleteSandboxBrandLogo", "DELETE /sandbox/brands/:uuid/logo", {
  summary: "Remove a brand's logo",
  description: "The wallet then shows the brand's name without a picture.",
  params,
  reply: BrandSettings,
  refusals: [404],
  example: { params: { uuid }, reply: settingsExample },
});

export const resetSandbox = forControl("resetSandbox", "POST /sandbox/reset", {
  summary: "Remove everything that your customer created",
  description: "Brands remain. The demo brands get their first settings back. Attempt counts are cleared.",
  body: t.Object({}),
  bodyOptional: true,
  reply: t.Object({
    removed: t.Integer({ minimum: 0, description: "How many verifications, 1-Clicks and other rows were removed." }),
  }),
  example: { body: {}, reply: { removed: 2 } },
});

export const sandboxEndpoints = [
  listMessages,
  answerText,
  readClock,
  moveClock,
  resetClock,
  createSandboxBrand,
  readSandboxBrand,
  patchSandboxBrand,
  putSandboxLogo,
  deleteSandboxLogo,
  resetSandbox,
];
