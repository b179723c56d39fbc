import type { Static } from "typebox";
import { endpoint } from "./endpoint.ts";
import { Ipv6, Millis, oneOf, Phone, PhoneInput, SixDigits, t, Uuid } from "./primitives.ts";

/** What the text to the person contains. */
export const SmsFormat = oneOf("code", "link", "codeAndLink", "linkAndCode");
export type SmsFormat = Static<typeof SmsFormat>;

/** Where a verification stands. `expired` is computed, never stored. */
export const VerificationStatus = oneOf("pending", "sending", "delivered", "verified", "expired", "failed");
export type VerificationStatus = Static<typeof VerificationStatus>;

/** The proof that a person holds a phone, or the attempt at it. */
export const VerificationEntity = t.Object({
  uuid: Uuid,
  deviceIp: t.Optional(Ipv6),
  phone: t.Optional(Phone),
  channel: oneOf("textToSignup", "autofill", "silent", "sms"),
  format: t.Optional(SmsFormat),
  status: VerificationStatus,
  verified: t.Boolean({ description: "Whether the phone can currently be considered verified" }),
  createdAt: Millis,
  expiresAt: Millis,
  deliveredAt: t.Optional(Millis),
  verifiedAt: t.Optional(Millis),
  attemptsRemaining: t.Optional(t.Integer({ minimum: 0 })),
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
const params = t.Object({ uuid: Uuid });
const tag = "1-Click Verify";

export const createVerification = endpoint({
  id: "createVerification",
  method: "POST",
  path: "/1-click/verifications",
  auth: "brandKey",
  tag,
  summary: "Begin a verification",
  description: "For `sms` the answer is the verification; nothing is sent before `deliver`.",
  body: t.Object({
    channel: t.String({ maxLength: 40, description: "`autofill`, `silent` or `sms`; anything else is OCV006" }),
    phone: t.Optional(PhoneInput),
    deviceIp: t.Optional(Ipv6),
  }),
  reply: VerificationEntity,
  status: 201,
  errors: ["ERR001", "OCV006", "OCV009"],
  example: { body: { channel: "sms", phone: "+12125550010" }, reply: pending },
});

export const deliverVerification = endpoint({
  id: "deliverVerification",
  method: "POST",
  path: "/1-click/verifications/:uuid/deliver",
  auth: "brandKey",
  tag,
  summary: "Text the code to the person",
  description:
    "At most three times. Each text carries a fresh code and ends the one before; neither the attempts nor the time are refilled.",
  params,
  body: t.Object({
    format: t.Optional(SmsFormat),
    redirectUrl: t.Optional(t.String({ maxLength: 2000 })),
    redirectUserAfter: t.Optional(oneOf("phoneVerification", "infoConfirmation")),
  }),
  bodyOptional: true,
  reply: VerificationEntity,
  status: 200,
  errors: ["ERR001", "OCV003", "OCV004", "OCV005"],
  example: { params: { uuid: pending.uuid }, body: {}, reply: { ...pending, format: "code", status: "sending" } },
});

export const submitVerificationCode = endpoint({
  id: "submitVerificationCode",
  method: "POST",
  path: "/1-click/verifications/:uuid/verify",
  auth: "brandKey",
  tag,
  summary: "Submit the code the person typed",
  description: "Three attempts; a right code uses one as well.",
  params,
  body: t.Object({ code: SixDigits }),
  reply: VerificationEntity,
  status: 200,
  errors: ["ERR001", "OCV001", "OCV002", "OCV005", "OCV007"],
  example: {
    params: { uuid: pending.uuid },
    body: { code: "111111" },
    reply: { ...pending, status: "verified", verified: true, verifiedAt: 1_767_225_660_000, attemptsRemaining: 2 },
  },
});

export const readVerification = endpoint({
  id: "readVerification",
  method: "GET",
  path: "/1-click/verifications/:uuid",
  auth: "brandKey",
  tag,
  summary: "Read a verification",
  params,
  reply: VerificationEntity,
  status: 200,
  errors: ["OCV005"],
  example: { params: { uuid: pending.uuid }, reply: pending },
});

export const verificationEndpoints = [
  createVerification,
  deliverVerification,
  submitVerificationCode,
  readVerification,
];
