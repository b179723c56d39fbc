import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { described, Ipv6, Millis, PhoneInput, ShortText, stringEnum, t, Uuid } from "../primitives.ts";
import { BrandLook, ConsentBody, PageIntro } from "../wallet/page.ts";
import { PersonInputs } from "./v2.ts";

/** Body of `POST /client/1-click`: what the brand already knows. The wallet does not ask for it again. */
export const SessionRequest = t.Object({
  ...PersonInputs,
  verificationUuid: t.Optional(described(Uuid, "A verified verification, instead of `phone`.")),
  phone: t.Optional(
    described(PhoneInput, "The person's phone, if you verified it. US numbers only: `+1` and ten digits."),
  ),
  deviceIp: t.Optional(
    described(Ipv6, "The IP address of the person's device, for the carrier channels and the risk score."),
  ),
  fullName: t.Optional(
    described(
      t.Object({
        firstName: t.String({ minLength: 1, maxLength: 200, description: "First name." }),
        middleName: t.Optional(described(ShortText, "Middle name.")),
        lastName: t.Optional(described(ShortText, "Last name.")),
      }),
      "The person's name. The wallet doesn't ask for it again.",
    ),
  ),
});
export type SessionRequest = Static<typeof SessionRequest>;

const forBrands = endpointsOf({ tag: "SDK", auth: "brandKey" });
const forWallet = endpointsOf({ tag: "Wallet", auth: "none" });
const sessionKey = "9a1f6f0e-3d1c-4a7e-8a55-6c0d6e5b7f21";

export const createSession = forBrands("createSession", "POST /client/1-click", {
  summary: "Create a session key for the SDK",
  description: "For brands of type SDK. The key opens one session, once, within 60 minutes. The body is optional.",
  about: "person",
  body: SessionRequest,
  bodyOptional: true,
  reply: t.Object({ sessionKey: described(Uuid, "The key that your page passes to the SDK.") }),
  status: 201,
  errors: ["ERR001", "OCE002", "OCE012", "OCE021", "OCV005", "SKE001", "SKE002"],
  refusals: [403],
  example: { body: {}, reply: { sessionKey } },
});

/** What the text below the phone field mentions. */
const AsksFor = t.Object({ data: t.Boolean(), ssn: t.Boolean(), health: t.Boolean() });

/** How a session begins: the first screen and its data. */
export const SessionStart = t.Object({
  brand: BrandLook,
  /** The purpose after "1-Click" in the title, such as "Signup". */
  title: t.String(),
  /** `consent` if the phone is already known. The person then only agrees. */
  step: stringEnum("phone", "consent"),
  /** The known phone, masked except for the last four digits. */
  phone: t.Optional(t.String()),
  /** Whether the carrier can identify the phone (`autofill`) or confirm a typed one (`silent`). */
  autofill: t.Boolean(),
  silent: t.Boolean(),
  /** What the consent text must mention. */
  asksFor: AsksFor,
  /** Names the text below the phone field, for the call that agrees to it. */
  shown: t.String(),
  /** The service's current time. */
  now: Millis,
});
export type SessionStart = Static<typeof SessionStart>;

/** The text that the first screen showed. `shown`: from the session's start, because the brand's requests may change. */
const ProvingShown = t.Object({ ...ConsentBody.properties, shown: t.Optional(t.String({ maxLength: 100 })) });

const bearer = "Needs `Authorization: Bearer <sessionToken>`.";
/** Wallet only. Exchanges a session key for a session token. */
export const openSession = forWallet("openSession", "POST /api/session", {
  summary: "Open a session with a session key",
  description:
    "Works once per key. The wallet uses the token in later calls. It has 256 random bits and expires after 60 minutes.",
  body: t.Object({
    sessionKey: Uuid,
    /** The hash of the session key from the frame's URL. The service used it to decide who may frame the page. */
    frame: t.String({ maxLength: 100 }),
  }),
  reply: t.Object({ sessionToken: t.String(), expiresAt: Millis, start: SessionStart }),
  status: 201,
});

/** Wallet only. Starts the proof of the phone that the person typed. */
export const beginByPhone = forWallet("beginByPhone", "POST /api/session/phone", {
  summary: "Prove a phone that the person typed",
  description: `${bearer} With \`silent\`, if the carrier supports it, the device opens \`location\`. Otherwise the service sends a text, and \`page\` is the page that asks for the code.`,
  body: t.Object({
    phone: PhoneInput,
    silent: t.Boolean(),
    /** Host of the brand's page around the frame, for the last line of the text. */
    within: t.Optional(t.String({ pattern: "^[A-Za-z0-9.-]{1,253}$" })),
    consent: ProvingShown,
  }),
  reply: t.Object({
    page: t.Optional(t.String()),
    intro: t.Optional(PageIntro),
    location: t.Optional(t.String()),
  }),
  status: 201,
  errors: ["ERR001", "OCE002", "OCV011"],
  refusals: [403],
});

/** Wallet only. Asks the carrier which phone this device is. */
export const beginByDevice = forWallet("beginByDevice", "POST /api/session/device", {
  summary: "Prove the device's own phone number",
  description: `${bearer} The device opens the answer's \`location\`; then the session continues.`,
  reply: t.Object({ location: t.String() }),
  status: 201,
  errors: ["ERR001", "OCV011"],
  refusals: [403],
});

/** Wallet only. Continues with a phone that the brand, a verification or the device has already proven. */
export const continueSession = forWallet("continueSession", "POST /api/session/continue", {
  summary: "Continue with a proven phone",
  description: `${bearer} Returns the token of the page on which the person reviews.`,
  body: t.Object({
    consent: ProvingShown,
    /** The verification's UUID. Required if the device proved the phone; only its browser has the UUID. */
    verificationUuid: t.Optional(Uuid),
  }),
  reply: t.Object({ sessionToken: t.String() }),
  status: 201,
  errors: ["ERR001", "OCE021"],
  refusals: [403],
});
