import type { Static } from "typebox";
import { CredentialRequest, credentialRequestsMax } from "../credential/credential.ts";
import { ChallengeInput } from "../errors.ts";
import { anyOf, mapOf, oneOf, t } from "../primitives.ts";

/** How a brand integrates. Fixed after the first traffic, except for the migration paths. */
export const integrationTypes = ["hosted", "semiHosted", "nonHosted", "sdk", "api", "v1"] as const;
export const IntegrationType = oneOf(...integrationTypes);
export type IntegrationType = Static<typeof IntegrationType>;

export const environments = ["sandbox", "production"] as const;
export const Environment = oneOf(...environments);
export type Environment = Static<typeof Environment>;

/** What the operator grants a brand. In the sandbox every approval is granted from the start. */
export const approvals = ["production", "trusted", "autofill", "silent", "issuance", "addOns", "barePhone"] as const;
export const Approval = oneOf(...approvals);
export type Approval = Static<typeof Approval>;

const Url = t.String({ format: "uri", maxLength: 2000 });
const MaybeUrl = anyOf(Url, t.Null());
const MaybeText = (maxLength: number) => anyOf(t.String({ maxLength }), t.Null());
const Colour = t.String({ pattern: "^#[0-9A-Fa-f]{6}$" });
const Npi = t.String({ pattern: "^[0-9]{10}$" });

const NetworkRule = t.Object({
  uuid: t.Optional(t.String({ format: "uuid" })),
  name: t.Optional(t.String({ maxLength: 200 })),
  status: oneOf("IN_NETWORK", "OUT_OF_NETWORK", "INDETERMINATE"),
  enabled: t.Optional(t.Boolean()),
  notes: t.Optional(MaybeText(2000)),
  metadata: t.Optional(mapOf(anyOf(t.String({ maxLength: 200 }), t.Number(), t.Boolean()))),
  startDate: t.Optional(anyOf(t.String({ format: "date" }), t.Null())),
  endDate: t.Optional(anyOf(t.String({ format: "date" }), t.Null())),
  conditions: t.Array(
    t.Object({
      key: t.String({ maxLength: 40 }),
      operator: t.String({ maxLength: 20 }),
      values: t.Array(t.String({ maxLength: 200 }), { minItems: 1, maxItems: 200 }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
});

const Provider = t.Object({
  type: oneOf("individual", "organization"),
  name: t.String({ minLength: 1, maxLength: 200 }),
  npi: Npi,
  default: t.Optional(t.Boolean()),
});

/** A brand's settings in one environment. Every setting has a default (see the service's `brand/settings.ts`). */
export const BrandSettings = t.Object({
  integrationType: IntegrationType,
  externalName: t.String({
    minLength: 1,
    maxLength: 100,
    description: "The name that users see: one line with at least one letter, and no web address",
  }),
  redirectUrl: MaybeUrl,
  allowedRedirectUrls: t.Array(Url, { maxItems: 50, description: "Origins or full URLs that a request may use" }),
  redirectUserAfter: oneOf("phoneVerification", "infoConfirmation"),
  allowedOrigins: t.Array(Url, { maxItems: 50, description: "Sites that may frame the SDK" }),
  defaultCredentialRequests: t.Array(CredentialRequest, { maxItems: credentialRequestsMax }),
  credentialFormats: t.Object({
    birthDate: t.String({ pattern: "^(unixTimestamp|[yMd/-]{1,20})$" }),
    state: oneOf("abbreviation", "full"),
    country: oneOf("abbreviation", "full"),
    fullName: t.String({
      minLength: 1,
      maxLength: 100,
      description: "`object`, or a pattern of child keys such as `lastName, firstName`",
    }),
    address: t.String({ minLength: 1, maxLength: 100, description: "`object`, or a pattern of child keys" }),
  }),
  challenges: t.Array(t.Object({ input: ChallengeInput, when: oneOf("always", "ifNecessary") }), { maxItems: 3 }),
  manualSignup: oneOf("useYourOwn", "hide"),
  riskSignals: t.Boolean(),
  riskSignalAddOns: t.Object({
    reasonCodes: t.Boolean(),
    carrier: t.Boolean(),
    email: t.Boolean(),
    deviceIp: t.Boolean(),
  }),
  phoneVerificationType: oneOf("byService", "byCustomer"),
  channels: t.Object({ autofill: t.Boolean(), silent: t.Boolean(), sms: t.Boolean() }),
  v1: t.Object({
    sendsSmsItself: t.Boolean(),
    trustedApproved: t.Boolean(),
    push: anyOf(
      t.Object({ url: Url, authorization: t.Optional(t.String({ maxLength: 500, pattern: "^[\\x20-\\x7e]+$" })) }),
      t.Null(),
    ),
  }),
  health: t.Object({
    enabled: t.Boolean(),
    checkAfterAutofill: t.Boolean(),
    serviceTypeCodes: t.Array(t.String({ pattern: "^[A-Za-z0-9]{1,3}$" }), { maxItems: 100 }),
    coverageTypes: t.Array(oneOf("medical", "dental", "vision"), { minItems: 1, maxItems: 3 }),
    providers: t.Array(Provider, { maxItems: 100 }),
  }),
  networkRules: t.Array(NetworkRule, { maxItems: 10_000 }),
  consent: t.Object({
    declared: t.Boolean(),
    version: t.String({ minLength: 1, maxLength: 50 }),
    text: MaybeText(5000),
    url: MaybeUrl,
  }),
  otpOrigin: anyOf(
    t.String({ maxLength: 253, description: "The host of one of `allowedOrigins`, which texts bind the code to" }),
    t.Null(),
  ),
  styling: t.Object({
    primaryColor: Colour,
    errorColor: Colour,
    mutedColor: Colour,
    backgroundColor: Colour,
    alignment: oneOf("left", "center", "right", "stretch"),
    fontFamily: t.String({ maxLength: 100 }),
    inputRadius: t.Integer({ minimum: 0, maximum: 40 }),
    buttonRadius: t.Integer({ minimum: 0, maximum: 40 }),
    oneClickWord: oneOf("Signup", "Login", "Verify", "Apply", "Access", "AutoFill"),
    logoUrl: MaybeUrl,
    successAnimation: oneOf("full", "none"),
  }),
});
export type BrandSettings = Static<typeof BrandSettings>;
