import type { Static } from "typebox";
import { CredentialRequest, credentialRequestsMax } from "../credential/credential.ts";
import { ChallengeInput, challengeInputs } from "../errors.ts";
import { anyOf, described, mapOf, stringEnum, t } from "../primitives.ts";

/** How a brand integrates. Fixed after the first traffic, except for the migration paths. */
export const integrationTypes = ["hosted", "semiHosted", "nonHosted", "sdk", "api", "v1"] as const;
export const IntegrationType = stringEnum(...integrationTypes);
export type IntegrationType = Static<typeof IntegrationType>;

export const environments = ["sandbox", "production"] as const;
export const Environment = stringEnum(...environments);
export type Environment = Static<typeof Environment>;

/** What the operator grants a brand. In the sandbox every approval is granted from the start. */
export const approvals = [
  "production",
  "trusted",
  "autofill",
  "silent",
  "issuance",
  "addOns",
  "barePhone",
  "openidSsn",
] as const;
export const Approval = stringEnum(...approvals);
export type Approval = Static<typeof Approval>;

const Url = t.String({ format: "uri", maxLength: 2000 });
const MaybeUrl = anyOf(Url, t.Null());
const MaybeText = (maxLength: number) => anyOf(t.String({ maxLength }), t.Null());
const Color = t.String({ pattern: "^#[0-9A-Fa-f]{6}$" });
const Npi = t.String({ pattern: "^[0-9]{10}$" });

const NetworkRule = t.Object({
  uuid: t.Optional(t.String({ format: "uuid", description: "The rule's id. Default: a new one." })),
  name: t.Optional(t.String({ maxLength: 200, description: "The rule's name." })),
  status: described(
    stringEnum("IN_NETWORK", "OUT_OF_NETWORK", "INDETERMINATE"),
    "The network status that the rule gives.",
  ),
  enabled: t.Optional(t.Boolean({ description: "Whether the rule applies. Default: true." })),
  notes: t.Optional(
    described(MaybeText(2000), "Notes for your team and your systems. They are returned with the decision."),
  ),
  metadata: t.Optional(
    described(
      mapOf(anyOf(t.String({ maxLength: 200 }), t.Number(), t.Boolean())),
      "Values for your systems. They are returned with the decision and do not influence it.",
    ),
  ),
  startDate: t.Optional(
    described(anyOf(t.String({ format: "date" }), t.Null()), "First day on which the rule applies, yyyy-MM-dd."),
  ),
  endDate: t.Optional(
    described(
      anyOf(t.String({ format: "date" }), t.Null()),
      "First day on which the rule no longer applies, yyyy-MM-dd.",
    ),
  ),
  conditions: described(
    t.Array(
      t.Object({
        key: t.String({
          maxLength: 40,
          description:
            "What the condition reads: `payerId`, `payerName`, `state`, `insuranceTypeCodes`, `planName`, `relatedEntities`, `groupNumber` or `groupName`.",
        }),
        operator: t.String({
          maxLength: 20,
          description: "`EQUAL`, or `INCLUDE` for a part of the text; `NOT_EQUAL` and `NOT_INCLUDE` for the opposite.",
        }),
        values: described(
          t.Array(t.String({ maxLength: 200 }), { minItems: 1, maxItems: 200 }),
          "The condition matches if one of these values does.",
        ),
      }),
      { minItems: 1, maxItems: 20 },
    ),
    "The conditions. All of them must match.",
  ),
});

const Provider = t.Object({
  type: described(stringEnum("individual", "organization"), "A person or an organization."),
  name: t.String({ minLength: 1, maxLength: 200, description: "The provider's name, or a person's last name." }),
  npi: described(Npi, "The provider's National Provider Identifier, ten digits."),
  default: t.Optional(t.Boolean({ description: "Whether payers are asked for this provider if a lookup names none." })),
});

/** A brand's settings in one environment. Every setting has a default (see the service's `brand/settings.ts`). */
export const BrandSettings = t.Object({
  integrationType: described(
    IntegrationType,
    "How the brand integrates. Fixed after the first traffic, except for migrations.",
  ),
  externalName: t.String({
    minLength: 1,
    maxLength: 100,
    description: "The name that users see: one line with at least one letter, and no web address",
  }),
  redirectUrl: described(
    MaybeUrl,
    "The URL to which people return by default. Without any URL, they stay on the wallet's last page.",
  ),
  allowedRedirectUrls: t.Array(Url, {
    maxItems: 50,
    description:
      "Origins or full URLs that a request may use. An origin has no slash at its end and allows every path. A full URL allows its own path, with any query",
  }),
  redirectUserAfter: described(
    stringEnum("phoneVerification", "infoConfirmation"),
    "When the link in a text redirects: after the phone is verified, or after the person has confirmed the data.",
  ),
  allowedOrigins: t.Array(Url, { maxItems: 50, description: "Sites and apps that may frame the SDK" }),
  defaultCredentialRequests: described(
    t.Array(CredentialRequest, { maxItems: credentialRequestsMax }),
    "What a request asks for if it names nothing.",
  ),
  credentialFormats: described(
    t.Object({
      birthDate: t.String({
        pattern: "^(unixTimestamp|[yMd/-]{1,20})$",
        description: "`unixTimestamp`, or a pattern such as `yyyy-MM-dd`.",
      }),
      state: described(stringEnum("abbreviation", "full"), "Two letters, or the full name."),
      country: described(stringEnum("abbreviation", "full"), "Two letters, or the full name."),
      fullName: t.String({
        minLength: 1,
        maxLength: 100,
        description: "`object`, or a pattern of child keys such as `lastName, firstName`. Other words are refused.",
      }),
      address: t.String({
        minLength: 1,
        maxLength: 100,
        description: "`object`, or a pattern of child keys. Other words are refused.",
      }),
    }),
    "The formats of values in responses.",
  ),
  challenges: described(
    t.Array(
      t.Object({
        input: described(ChallengeInput, "The input."),
        when: described(
          stringEnum("always", "ifNecessary"),
          "`always`, or only if the phone alone does not identify one person.",
        ),
      }),
      { maxItems: challengeInputs.length },
    ),
    "Which inputs identify a person, and when the wallet asks for them.",
  ),
  manualSignup: described(
    stringEnum("useYourOwn", "hide"),
    "Whether the wallet offers to leave for your own form (`useYourOwn`).",
  ),
  riskSignals: t.Boolean({
    description:
      "Whether the service scores the phone, returns the score, and refuses scores above 600. Turning this off is not recommended.",
  }),
  riskSignalAddOns: described(
    t.Object({
      reasonCodes: t.Boolean({ description: "Codes that explain the scores." }),
      carrier: t.Boolean({ description: "The phone's carrier." }),
      email: t.Boolean({ description: "The risk of the email address." }),
      deviceIp: t.Boolean({ description: "The risk of the device's IP address." }),
    }),
    "Which add-ons of the risk signals responses have.",
  ),
  governmentId: described(
    t.Object({
      reported: t.Boolean({
        description:
          "Whether responses name values from a state ID: `verificationMethod` is then `government_id` with the issuing authority. If off, it is `self_attested`.",
      }),
      required: t.Boolean({
        description: "Whether the wallet asks each person to confirm with a state ID before they share.",
      }),
      onConflict: described(
        stringEnum("preferSource", "preferId", "refuse"),
        "Which value you get if the state ID contradicts a source, or whether the wallet refuses the ID.",
      ),
    }),
    "State IDs from the wallet of a person's phone.",
  ),
  phoneVerificationType: described(
    stringEnum("byService", "byCustomer"),
    "For the SDK. `byCustomer`: a session without `phone` and `verificationUuid` gets SKE002.",
  ),
  channels: described(
    t.Object({
      autofill: t.Boolean({ description: "The carrier names the device's phone." }),
      silent: t.Boolean({ description: "The carrier confirms a given phone." }),
      sms: t.Boolean({ description: "A code or link in a text message." }),
    }),
    "Which verification channels the brand uses.",
  ),
  v1: described(
    t.Object({
      sendsSmsItself: t.Boolean({
        description: "Sandbox only: whether the brand texts the code itself. In production it always does.",
      }),
      trustedApproved: t.Boolean({
        description: "Whether the brand uses `POST /1-click/trusted`. The operator's approval `trusted` is needed too.",
      }),
      push: described(
        anyOf(
          t.Object({
            url: described(Url, "The receiver's URL."),
            authorization: t.Optional(
              t.String({
                maxLength: 500,
                pattern: "^[\\x20-\\x7e]+$",
                description: "The value of the header `Authorization`. It is never returned.",
              }),
            ),
          }),
          t.Null(),
        ),
        "Where results of v1 are sent. `null`: nowhere.",
      ),
    }),
    "Settings of the legacy generation.",
  ),
  health: described(
    t.Object({
      enabled: t.Boolean({ description: "Whether 1-Click Health is on." }),
      checkAfterAutofill: t.Boolean({ description: "Whether plans that were found are checked with the payer." }),
      serviceTypeCodes: described(
        t.Array(t.String({ pattern: "^[A-Za-z0-9]{1,3}$" }), { maxItems: 100 }),
        "X12 service type codes to ask payers about, if a lookup names none.",
      ),
      coverageTypes: described(
        t.Array(stringEnum("medical", "dental", "vision"), { minItems: 1, maxItems: 3 }),
        "The kinds of coverage to look for.",
      ),
      providers: described(t.Array(Provider, { maxItems: 100 }), "The providers for whom payers are asked."),
    }),
    "Settings of 1-Click Health.",
  ),
  networkRules: described(
    t.Array(NetworkRule, { maxItems: 10_000 }),
    "The rules that decide whether a plan is in the brand's network.",
  ),
  consent: described(
    t.Object({
      declared: t.Boolean({ description: "Whether the brand has made the declaration." }),
      version: t.String({ minLength: 1, maxLength: 50, description: "Which version of the text people agreed to." }),
      text: described(MaybeText(5000), "The text that people agreed to."),
      url: described(MaybeUrl, "Where the text is published."),
    }),
    "The brand's declaration that it has each person's consent.",
  ),
  otpOrigin: described(
    anyOf(
      t.String({ maxLength: 253, description: "The host of one of `allowedOrigins`, which texts bind the code to" }),
      t.Null(),
    ),
    "The site that texts bind the code to, so that browsers fill it in there. In production, people also see it below the brand's name.",
  ),
  openid: described(
    t.Object({
      redirectUris: t.Array(Url, {
        maxItems: 20,
        description: "The redirect URIs of the brand's OpenID client, matched exactly. Empty: OpenID is off.",
      }),
      signedUserInfo: t.Boolean({ description: "Whether UserInfo is a signed JWT." }),
    }),
    "The brand as a client of the OpenID Provider.",
  ),
  styling: described(
    t.Object({
      primaryColor: described(Color, "Color of buttons and links."),
      errorColor: described(Color, "Color of errors."),
      mutedColor: described(Color, "Color of secondary text."),
      backgroundColor: described(Color, "Color of the background."),
      alignment: described(
        stringEnum("left", "center", "right", "stretch"),
        "Alignment of the text. `stretch` also makes the page wide.",
      ),
      fontFamily: t.String({
        maxLength: 100,
        description: "The typeface: `Lato`, or anything else for Geist, the wallet's own.",
      }),
      inputRadius: t.Integer({ minimum: 0, maximum: 40, description: "Radius of the corners of fields, in pixels." }),
      buttonRadius: t.Integer({ minimum: 0, maximum: 40, description: "Radius of the corners of buttons, in pixels." }),
      oneClickWord: described(
        stringEnum("Signup", "Login", "Verify", "Apply", "Access", "AutoFill"),
        "The word after 1-Click.",
      ),
      logoUrl: described(MaybeUrl, "The logo that was uploaded."),
      successAnimation: described(stringEnum("full", "none"), "Whether the last screen has an animation."),
    }),
    "The look of the wallet.",
  ),
});
export type BrandSettings = Static<typeof BrandSettings>;
