import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { described, Ipv6, Millis, Phone, PhoneInput, stringEnum, TypedCode, t, Uuid } from "../primitives.ts";

/** What the text message contains. */
export const SmsFormat = stringEnum("code", "link", "codeAndLink", "linkAndCode");
export type SmsFormat = Static<typeof SmsFormat>;

/** The state of a verification. `expired` is computed, never stored. */
export const VerificationStatus = stringEnum("pending", "sending", "delivered", "verified", "expired", "failed");
export type VerificationStatus = Static<typeof VerificationStatus>;

/** A proof that a person has a phone, or an attempt at one. */
export const VerificationEntity = t.Object({
  uuid: described(Uuid, "The verification's id."),
  deviceIp: t.Optional(described(Ipv6, "The IP address of the person's device. Only for `autofill` and `silent`.")),
  phone: t.Optional(described(Phone, "The phone to verify. Absent until the carrier names it.")),
  channel: described(
    stringEnum("textToSignup", "autofill", "silent", "sms"),
    "How the phone is verified: by the carrier (`autofill`, `silent`), by text (`sms`), or by a text that the person sent (`textToSignup`).",
  ),
  format: t.Optional(described(SmsFormat, "What the text contains. Absent if no text was requested.")),
  status: described(
    VerificationStatus,
    "The state. Only `verified` proves the phone; `expired` and `failed` are final.",
  ),
  verified: t.Boolean({ description: "Whether the phone can currently be considered verified" }),
  createdAt: described(Millis, "When the verification began, in Unix milliseconds."),
  expiresAt: described(Millis, "When it expires, in Unix milliseconds: five minutes after its creation."),
  deliveredAt: t.Optional(described(Millis, "When the carrier confirmed that the text arrived, in Unix milliseconds.")),
  verifiedAt: t.Optional(described(Millis, "When the phone was verified, in Unix milliseconds.")),
  attemptsRemaining: t.Optional(t.Integer({ minimum: 0, description: "How many codes can still be tried." })),
});
export type VerificationEntity = Static<typeof VerificationEntity>;

const pending = {
  uuid: "0b7f1c9e-6a43-4d0f-9a54-0d2b5d1f4c11",
  phone: "+12125550010",
  channel: "sms",
  status: "pending",
  verified: false,
  createdAt: 1_767_225_600_000,
  expiresAt: 1_767_225_900_000,
  attemptsRemaining: 3,
};
const params = t.Object({ uuid: described(Uuid, "The verification's id.") });
const tag = "1-Click Verify";
const open = endpointsOf({ tag, auth: "none", cors: true });
const forBrands = endpointsOf({ tag, auth: "brandKey" });

export const readDeviceIp = open("readDeviceIp", "GET /1-click/verifications/device-ip", {
  summary: "The IP address of the calling device",
  description:
    "Call it from the person's device, without a key. Always IPv6: an IPv4 address is written `::ffff:a.b.c.d`.",
  reply: t.Object({ deviceIp: described(Ipv6, "The address from which the call came.") }),
  example: { reply: { deviceIp: "::121:2555:0010" } },
});

const DeviceChannel = t.Object({
  available: t.Boolean({ description: "Whether the channel can be used now." }),
  brandApproved: t.Boolean({
    description: "Whether the brand may use the channel, by its settings and the operator's approval.",
  }),
  deviceIpEligible: t.Boolean({ description: "Whether a carrier knows this IP address." }),
});

export const readChannels = forBrands("readChannels", "GET /1-click/verifications/channels", {
  summary: "Which channels can be used",
  description:
    "Without `deviceIp` the device channels are not available. This is only a preview; you may also try a channel directly.",
  query: t.Object({
    deviceIp: t.Optional(
      described(Ipv6, "The IP address of the person's device, from `GET /1-click/verifications/device-ip`."),
    ),
  }),
  reply: t.Object({
    channels: described(
      t.Object({
        autofill: described(DeviceChannel, "The carrier names the device's phone."),
        silent: described(DeviceChannel, "The carrier confirms a given phone."),
        sms: described(
          t.Object({
            available: t.Boolean({ description: "Whether the channel can be used now." }),
            brandApproved: t.Boolean({ description: "Whether the brand's settings allow the channel." }),
          }),
          "A code or link in a text message.",
        ),
      }),
      "The channels, in the order in which to try them.",
    ),
  }),
  example: {
    query: { deviceIp: "::121:2555:0010" },
    reply: {
      channels: {
        autofill: { available: true, brandApproved: true, deviceIpEligible: true },
        silent: { available: true, brandApproved: true, deviceIpEligible: true },
        sms: { available: true, brandApproved: true },
      },
    },
  },
});

export const createVerification = forBrands("createVerification", "POST /1-click/verifications", {
  summary: "Begin a verification",
  description:
    "For `sms` the answer is the verification; nothing is sent before `deliver`. For `autofill` and `silent` the answer is 302: do not " +
    "follow the redirect, but give its `Location` to the person's device, which follows it once, within 60 seconds.",
  about: { phone: "body.phone" },
  body: t.Object({
    channel: t.Optional(
      t.String({
        maxLength: 40,
        description: "`autofill`, `silent` or `sms`; anything else is OCV006. Required without `channels`.",
      }),
    ),
    channels: t.Optional(
      t.Array(stringEnum("silent", "autofill", "sms"), {
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        description:
          "An extension, under `/v2.1` only: the channels to try, in this order. The first one that can begin is used, and the " +
          "others are not. `channel` of the answer names it; with a 302 the header `Countersign-Channel` does.",
      }),
    ),
    phone: t.Optional(
      described(
        PhoneInput,
        "The phone to verify. Required for `silent` and `sms`. US numbers only: `+1` and ten digits.",
      ),
    ),
    deviceIp: t.Optional(
      described(Ipv6, "The IP address of the person's device. Required for `autofill` and `silent`."),
    ),
  }),
  reply: VerificationEntity,
  status: 201,
  redirects: "For `autofill` and `silent`: the device follows `Location` to the verification, or to OCV008 or OCV010.",
  redirectHeaders: { "Countersign-Channel": "The channel that began, if the request names several in `channels`." },
  errors: ["ERR001", "OCV006", "OCV009", "OCV011"],
  refusals: [403],
  example: { body: { channel: "sms", phone: "+12125550010" }, reply: pending },
});

/** The first step on the device. The response that starts `autofill` or `silent` has this URL as `Location`. */
export const followDevice = open("followDevice", "GET /1-click/verifications/device/:token", {
  summary: "Redirect the device to the carrier",
  description: "The device follows it once. No cookie is set or needed.",
  about: { token: "params.token" },
  params: t.Object({
    token: t.String({ maxLength: 100, description: "The one-time token of the verification, from `Location`." }),
  }),
  reply: undefined,
  status: 302,
  usesUp: true,
  errors: ["OCV005"],
});

/** Where the carrier redirects the device. */
export const finishDevice = open("finishDevice", "GET /1-click/verifications/device/:token/result", {
  summary: "Receive the device back from the carrier",
  about: { token: "params.token" },
  params: t.Object({ token: t.String({ maxLength: 100, description: "The one-time token of the verification." }) }),
  query: t.Object({ answer: t.Optional(t.String({ maxLength: 2000, description: "The carrier's answer." })) }),
  reply: VerificationEntity,
  usesUp: true,
  errors: ["OCV005", "OCV007", "OCV008", "OCV010"],
  example: {
    params: { token: "3f2c" },
    reply: {
      ...pending,
      channel: "autofill",
      deviceIp: "::121:2555:0010",
      status: "verified",
      verified: true,
      verifiedAt: 1_767_225_601_000,
    },
  },
});

export const deliverVerification = forBrands("deliverVerification", "POST /1-click/verifications/:uuid/deliver", {
  summary: "Text the code to the person",
  description:
    "At most three times. Each text has a new code and invalidates the previous one. It restores neither the attempts nor the time.",
  about: { uuid: "params.uuid" },
  params,
  body: t.Object({
    format: t.Optional(
      described(SmsFormat, "What the text contains: the code, a link, or both in this order. Default: `code`."),
    ),
    redirectUrl: t.Optional(
      t.String({
        maxLength: 2000,
        description:
          "The URL to which the link finally redirects; the settings must allow it. Ignored if the text has no link.",
      }),
    ),
    redirectUserAfter: t.Optional(
      described(
        stringEnum("phoneVerification", "infoConfirmation"),
        "When the link redirects: after the phone is verified, or after the person has confirmed the data. Default: the brand's setting.",
      ),
    ),
  }),
  bodyOptional: true,
  reply: VerificationEntity,
  errors: ["ERR001", "OCV003", "OCV004", "OCV005", "OCV011"],
  example: { params: { uuid: pending.uuid }, body: {}, reply: { ...pending, format: "code", status: "sending" } },
});

export const submitVerificationCode = forBrands("submitVerificationCode", "POST /1-click/verifications/:uuid/verify", {
  summary: "Submit the code the person typed",
  description: "Three attempts; a right code also uses one.",
  about: { uuid: "params.uuid" },
  params,
  body: t.Object({ code: described(TypedCode, "The six digits as the person typed them, also with separators.") }),
  reply: VerificationEntity,
  errors: ["ERR001", "OCV001", "OCV002", "OCV005", "OCV007"],
  example: {
    params: { uuid: pending.uuid },
    body: { code: "111111" },
    reply: { ...pending, status: "verified", verified: true, verifiedAt: 1_767_225_660_000, attemptsRemaining: 2 },
  },
});

export const readVerification = forBrands("readVerification", "GET /1-click/verifications/:uuid", {
  summary: "Read a verification",
  about: { uuid: "params.uuid" },
  params,
  reply: VerificationEntity,
  errors: ["ERR001", "OCV005"],
  example: { params: { uuid: pending.uuid }, reply: pending },
});

export const verificationEndpoints = [
  readDeviceIp,
  readChannels,
  createVerification,
  deliverVerification,
  submitVerificationCode,
  readVerification,
  followDevice,
  finishDevice,
];
