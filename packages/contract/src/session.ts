import type { Static } from "typebox";
import { endpoint } from "./endpoint.ts";
import { Day, Email, Ipv6, Millis, PhoneInput, ShortText, Ssn4, t, Uuid } from "./primitives.ts";
import { PersonInputs } from "./v2.ts";

/** Body of `POST /client/1-click`: what the brand knows already, so that the person is not asked for it. */
export const SessionRequest = t.Object({
  ...PersonInputs,
  verificationUuid: t.Optional(Uuid),
  phone: t.Optional(PhoneInput),
  email: t.Optional(Email),
  deviceIp: t.Optional(Ipv6),
  birthDate: t.Optional(Day),
  ssn4: t.Optional(Ssn4),
  fullName: t.Optional(
    t.Object({ firstName: ShortText, middleName: t.Optional(ShortText), lastName: t.Optional(ShortText) }),
  ),
});
export type SessionRequest = Static<typeof SessionRequest>;

const sessionKey = "9a1f6f0e-3d1c-4a7e-8a55-6c0d6e5b7f21";

export const createSession = endpoint({
  id: "createSession",
  method: "POST",
  path: "/client/1-click",
  auth: "brandKey",
  tag: "SDK",
  summary: "Make a session key for the SDK",
  description: "For brands of type SDK. The key opens one session, once, within 60 minutes. The body may be missing.",
  body: SessionRequest,
  bodyOptional: true,
  reply: t.Object({ sessionKey: Uuid }),
  status: 201,
  errors: ["ERR001", "OCE002", "OCE012", "OCE021", "OCV005", "SKE001", "SKE002"],
  refusals: [403],
  example: { body: {}, reply: { sessionKey } },
});

/** The wallet's own: trades a session key for the token of the session it opens. */
export const openSession = endpoint({
  id: "openSession",
  method: "POST",
  path: "/api/session",
  auth: "none",
  tag: "Wallet",
  summary: "Open the session of a key",
  description:
    "Works once per key. The token, 256 random bits, lives 60 minutes and is what the wallet shows from then on.",
  body: t.Object({ sessionKey: Uuid }),
  reply: t.Object({ sessionToken: t.String(), expiresAt: Millis }),
  status: 201,
  errors: ["ERR001"],
  refusals: [],
  example: {
    body: { sessionKey },
    reply: { sessionToken: "k0Jx2oG0b8i3mB8u9bq5u2n0bqv3o6wq1uVtq1fK2cQ", expiresAt: 1_767_229_200_000 },
  },
});
