/** The texts of every setting: its label, a one-sentence description, and its possible values. */
import type { IntegrationType } from "@countersign/contract/brand";
import { words } from "../words.ts";
import { type Choice, choices, type FieldWords, type SectionWords } from "./field-words.ts";
import { formats } from "./words-formats.ts";

const when = choices(["never", "Never"], ["ifNecessary", "Only if necessary"], ["always", "Always"]);
export const challengeTimes = when;

const sdkGroup = "Pages with the SDK";
const linkGroup = "Links and redirects";

export const sections: readonly SectionWords[] = [
  {
    id: "general",
    title: "General",
    lead: "The sandbox and production have separate settings.",
    fields: [
      {
        path: "externalName",
        kind: "text",
        max: 100,
        label: "External name",
        says: "The name that people see in texts and on every screen.",
      },
      {
        path: "integrationType",
        kind: "type",
        label: "Integration type",
        says: "Decides which calls you make and which screens people see.",
      },
    ],
  },
  {
    id: "redirects",
    title: "Redirects and origins",
    lead: "Where people come from and return to. Use https; in the sandbox, localhost works too.",
    fields: [
      {
        path: "allowedOrigins",
        kind: "lines",
        max: 50,
        group: sdkGroup,
        label: "Allowed origins",
        example: "https://app.example.com",
        says: "Sites that may show the SDK in a frame. If empty: any site in the sandbox, none in production.",
      },
      {
        path: "otpOrigin",
        kind: "text",
        empty: null,
        max: 253,
        group: sdkGroup,
        label: "Domain for code autofill",
        example: "app.example.com",
        says: "Phones suggest the texted code only on this domain. It is the host of one of your allowed origins. In production, people see it below your name.",
      },
      {
        path: "redirectUrl",
        kind: "text",
        empty: null,
        max: 2000,
        group: linkGroup,
        label: "Redirect URL",
        example: "https://app.example.com/done",
        says: "Where people go after our pages, unless a request has another URL. Without any, they stay on our last page.",
      },
      {
        path: "allowedRedirectUrls",
        kind: "lines",
        max: 50,
        group: linkGroup,
        label: "Additional redirect URLs",
        example: "https://app.example.com",
        says: "URLs that a request may use. An origin allows all its paths; a full URL allows that path with any query.",
      },
      {
        path: "redirectUserAfter",
        kind: "select",
        choices: choices(["phoneVerification", "The phone is verified"], ["infoConfirmation", "The data is confirmed"]),
        group: linkGroup,
        label: "Redirect people after",
        says: "Whether a texted link leads back immediately, or only after the review.",
      },
    ],
  },
  {
    id: "openid",
    title: "OpenID",
    lead: "Your brand as a client of the OpenID Provider. The client secret is an API key.",
    fields: [
      {
        path: "openid.redirectUris",
        kind: "lines",
        max: 20,
        label: "Redirect URIs",
        example: "https://app.example.com/callback",
        says: "Matched exactly. Without one, OpenID is off.",
      },
      {
        path: "openid.signedUserInfo",
        kind: "switch",
        label: "Signed UserInfo",
        says: "Whether UserInfo is a signed JWT.",
      },
    ],
  },
  formats,
  {
    id: "challenges",
    title: "Challenges",
    lead: "When people must enter something to prove that the records are theirs. “Only if necessary” means: if the phone alone does not identify one person. After three wrong values, the person has to wait 30 minutes.",
    fields: [
      {
        path: "challenges",
        input: "fullName.firstName",
        kind: "challenge",
        label: "First name",
        says: "Capital letters make no difference.",
      },
      {
        path: "challenges",
        input: "birthDate",
        kind: "challenge",
        label: "Birthday",
        says: "Month, day and year.",
      },
      {
        path: "challenges",
        input: "ssn4",
        kind: "challenge",
        label: "Last four digits of SSN",
        says: "People never enter the whole number here.",
      },
      {
        path: "manualSignup",
        kind: "select",
        group: "People who do not share",
        choices: choices(["useYourOwn", "Offer your own form"], ["hide", "Hide it"]),
        label: "Manual sign-up",
        says: "Whether people can leave our screens and fill in your form instead.",
      },
    ],
  },
  {
    id: "risk",
    title: "Risk signals",
    lead: "How risky a phone, an email address or a device is. A score above 600 is blocked.",
    fields: [
      {
        path: "riskSignals",
        kind: "switch",
        label: "Score each identity",
        says: "Adds a score from 0 to 1000 with a recommendation to each identity. Turning this off is not recommended.",
      },
      {
        path: "riskSignalAddOns.reasonCodes",
        kind: "switch",
        needs: "riskSignals",
        label: "Reason codes",
        says: "Explains the score.",
      },
      {
        path: "riskSignalAddOns.carrier",
        kind: "switch",
        needs: "riskSignals",
        label: "Carrier",
        says: "Names the carrier of the phone.",
      },
      {
        path: "riskSignalAddOns.email",
        kind: "switch",
        needs: "riskSignals",
        label: "Email",
        says: "Scores the email address in the request.",
      },
      {
        path: "riskSignalAddOns.deviceIp",
        kind: "switch",
        needs: "riskSignals",
        label: "Device IP",
        says: "Scores the device’s IP address in the request.",
      },
    ],
  },
  {
    id: "verification",
    title: "Phone verification",
    lead: "Who verifies the phone, and through which channels.",
    fields: [
      {
        path: "phoneVerificationType",
        kind: "select",
        choices: choices(["byService", "Countersign"], ["byCustomer", "Your server"]),
        label: "Verified by",
        says: "If your server verifies phones, send the phone or a verification with each session. Otherwise it fails with SKE002.",
      },
      {
        path: "channels.sms",
        kind: "switch",
        group: "Channels",
        label: "SMS",
        says: "A code or a link by text.",
      },
      {
        path: "channels.autofill",
        kind: "switch",
        group: "Channels",
        label: "Autofill",
        says: "The carrier supplies the phone number. No text is sent.",
      },
      {
        path: "channels.silent",
        kind: "switch",
        group: "Channels",
        label: "Silent",
        says: "The carrier confirms the phone number. No text is sent.",
      },
    ],
  },
  {
    id: "stateId",
    title: "State IDs",
    lead: "People can use the state ID in their phone’s wallet instead of typing.",
    fields: [
      {
        path: "governmentId.reported",
        kind: "switch",
        label: "Report state IDs",
        says: "Values from a state ID are then marked government_id, with the issuing authority. Otherwise they are marked self_attested.",
      },
      {
        path: "governmentId.required",
        kind: "switch",
        label: "Confirm with a state ID",
        says: "Each person must use a state ID before they share. Many people have none in their phone yet.",
      },
      {
        path: "governmentId.onConflict",
        kind: "select",
        choices: choices(
          ["preferSource", "Use the source’s value"],
          ["preferId", "Use the state ID’s value"],
          ["refuse", "Refuse the state ID"],
        ),
        label: "If a state ID contradicts a source",
        says: "The person is told which value you get.",
      },
    ],
  },
  {
    id: "health",
    title: "Health",
    lead: "How people’s insurance is found, checked and delivered.",
    fields: [
      {
        path: "health.enabled",
        kind: "switch",
        label: "1-Click Health",
        says: "Allows insurance lookups for this brand.",
      },
      {
        path: "health.checkAfterAutofill",
        kind: "switch",
        needs: "health.enabled",
        label: "Check after autofill",
        says: "Checks each found plan with the payer. A request can override this.",
      },
      {
        path: "health.serviceTypeCodes",
        kind: "codes",
        needs: "health.enabled",
        label: "Service type codes",
        says: "X12 codes for eligibility checks, separated by commas. 30 is general health benefits.",
      },
      {
        path: "health.coverageTypes",
        kind: "checks",
        choices: choices(["medical", "Medical"], ["dental", "Dental"], ["vision", "Vision"]),
        needs: "health.enabled",
        label: "Coverage types",
        says: "Only plans of these types are delivered. Choose at least one.",
      },
      {
        path: "health.providers",
        kind: "providers",
        needs: "health.enabled",
        label: "Providers",
        says: "The providers on whose behalf payers are asked. The default applies if a request has none.",
      },
    ],
  },
  {
    id: "consent",
    title: "Consent",
    lead: "What people agree to if they do not see our screens.",
    fields: [
      {
        path: "consent.declared",
        kind: "switch",
        label: "People see the required sentence and its link",
        says: "Your declaration. We store it each time a person shares. Without it, calls get 403.",
      },
      {
        path: "consent.version",
        kind: "text",
        max: 50,
        group: "The text that you show",
        label: "Text version",
        says: "Identifies the current text, so that each share can be traced to it.",
      },
      {
        path: "consent.text",
        kind: "longText",
        max: 5000,
        group: "The text that you show",
        label: "Your text",
        says: "Optional. The sentence that people see, kept as evidence. If it is empty, only the version is kept.",
      },
      {
        path: "consent.url",
        kind: "text",
        empty: null,
        max: 2000,
        group: "The text that you show",
        label: "Where it is shown",
        example: "https://app.example.com/signup",
        says: "Optional. The page on which people agree.",
      },
    ],
  },
  {
    id: "v1",
    title: "v1",
    lead: "How this brand uses the first version of the API.",
    fields: [
      {
        path: "v1.sendsSmsItself",
        kind: "switch",
        label: "Your server sends the texts",
        group: "Requests",
        says: "For the sandbox. The response has the text in smsBody, and Countersign sends nothing. In production, this is always so.",
      },
      {
        path: "v1.trustedApproved",
        kind: "switch",
        label: "Trusted requests",
        group: "Requests",
        says: "Allows POST /1-click/trusted. Each such request asserts that you verified the phone.",
      },
      {
        path: "v1.push.url",
        kind: "text",
        empty: null,
        max: 2000,
        label: "Push URL",
        group: "Push",
        says: "Countersign posts each shared identity to this URL, signed in X-Signature.",
      },
      {
        path: "v1.push.authorization",
        kind: "secret",
        needs: "v1.push.url",
        label: "Authorization header",
        group: "Push",
        says: "Sent with each push. After you save it, it is not shown again.",
      },
    ],
  },
];

/** The sections for an integration type. Only v1 brands have the v1 section. */
export function sectionsOf(type: IntegrationType | undefined): readonly SectionWords[] {
  return sections.filter(({ id }) => id !== "v1" || type === "v1");
}

/** The labels of the brand's uuid in the sections that show it. */
export const idNames: Readonly<Record<string, string>> = { general: "Brand ID", openid: "Client ID" };

/** The fields of a section. Brands without the SDK see the SDK's fields last. */
export function fieldsOf({ fields }: SectionWords, type: IntegrationType | undefined): readonly FieldWords[] {
  const isLast = ({ group }: FieldWords) => type !== "sdk" && group === sdkGroup;
  return [...fields.filter((field) => !isLast(field)), ...fields.filter(isLast)];
}

export const typeChoices: readonly Choice[] = Object.entries(words.types).map(([value, { name }]) => ({
  value,
  label: name,
}));
