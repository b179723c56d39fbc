/** The texts of every setting: its label, a one-sentence description, and its possible values. */
import type { IntegrationType } from "@countersign/contract/brand";
import { settingsSections } from "@countersign/contract/settings-sections";
import { words } from "../words.ts";
import { type Choice, choices, type FieldWords, type SectionWords } from "./field-words.ts";
import { textOf } from "./settings-paths.ts";
import { formats } from "./words-formats.ts";

const when = choices(["never", "Never"], ["ifNecessary", "Only if necessary"], ["always", "Always"]);
export const challengeTimes = when;

const sdkGroup = "Pages with the SDK";
const linkGroup = "Links and redirects";

export const sections: readonly SectionWords[] = [
  {
    id: "general",
    title: "General",
    lead: "Who you are to your users, and how you integrate.",
    fields: [
      {
        path: "externalName",
        kind: "text",
        max: 100,
        label: "External name",
        says: "The name that users see in texts and on every screen.",
      },
      {
        path: "integrationType",
        kind: "type",
        label: "Integration type",
        says: "Decides which calls you make and which screens your users see.",
      },
    ],
  },
  {
    id: "redirects",
    title: "Redirects and origins",
    lead: "Where users come from and return to. Use https; in the sandbox, localhost works too.",
    fields: [
      {
        path: "allowedOrigins",
        kind: "lines",
        max: 50,
        group: sdkGroup,
        label: "Allowed origins",
        says: "Sites that may show the SDK in a frame. Empty: any site in the sandbox, no site in production.",
      },
      {
        path: "otpOrigin",
        kind: "text",
        empty: null,
        max: 253,
        group: sdkGroup,
        label: "Host of your code field",
        says: "The host of one of your allowed origins. Phones then suggest the code only on that page.",
      },
      {
        path: "redirectUrl",
        kind: "text",
        empty: null,
        max: 2000,
        group: linkGroup,
        label: "Redirect URL",
        says: "Where users go after our pages, unless a request has another URL.",
      },
      {
        path: "redirectUserAfter",
        kind: "select",
        choices: choices(["phoneVerification", "The phone is verified"], ["infoConfirmation", "The data is confirmed"]),
        group: linkGroup,
        label: "Redirect users after",
        says: "Whether a texted link leads back immediately, or only after the review.",
      },
      {
        path: "allowedRedirectUrls",
        kind: "lines",
        max: 50,
        group: linkGroup,
        label: "Additional redirect URLs",
        says: "URLs that a request may use. An origin allows all its paths; a full URL allows that path with any query.",
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
    lead: "What people must enter to prove that the records are theirs.",
    fields: [
      {
        path: "challenges",
        input: "fullName.firstName",
        kind: "challenge",
        label: "First name",
        says: "When to ask for it: always, or only if the phone alone does not identify one person.",
      },
      {
        path: "challenges",
        input: "birthDate",
        kind: "challenge",
        label: "Birth date",
        says: "When to ask for it. After three wrong values, the person has to wait 30 minutes.",
      },
      {
        path: "challenges",
        input: "ssn4",
        kind: "challenge",
        label: "Last four of the SSN",
        says: "When to ask for the last four digits of the Social Security number.",
      },
      {
        path: "manualSignup",
        kind: "select",
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
        says: "Adds a score from 0 to 1000 with a recommendation to each identity.",
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
        says: "Scores the device's IP address in the request.",
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
        choices: choices(["byService", "Us"], ["byCustomer", "You"]),
        label: "Verified by",
        says: "If you verify the phone, each session needs a phone or one of your verifications (SKE002).",
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
        says: "The carrier identifies the phone that opens the page. Nothing is typed.",
      },
      {
        path: "channels.silent",
        kind: "switch",
        group: "Channels",
        label: "Silent",
        says: "The carrier confirms the given phone, without a text.",
      },
    ],
  },
  {
    id: "health",
    title: "Health",
    lead: "How your users' insurance is found, checked and delivered.",
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
    id: "v1",
    title: "v1",
    lead: "For brands that use the first API generation.",
    fields: [
      {
        path: "v1.sendsSmsItself",
        kind: "switch",
        label: "We send the texts ourselves",
        says: "The response then contains smsBody, and we send nothing.",
      },
      {
        path: "v1.trustedApproved",
        kind: "switch",
        label: "Trusted",
        says: "Allows POST /1-click/trusted, where you state that you verified the phone.",
      },
      {
        path: "v1.push.url",
        kind: "text",
        empty: null,
        max: 2000,
        label: "Push URL",
        says: "Receives each released identity, signed in X-Signature.",
      },
      {
        path: "v1.push.authorization",
        kind: "secret",
        needs: "v1.push.url",
        label: "Push authorization",
        says: "Sent as the Authorization header of each push. It is not shown again.",
      },
    ],
  },
  {
    id: "consent",
    title: "Consent",
    lead: "What your users agree to if they do not see our screens.",
    fields: [
      {
        path: "consent.declared",
        kind: "switch",
        label: "We show the required sentence and links",
        says: "Your declaration, stored with every release. Without it, calls get 403.",
      },
      {
        path: "consent.version",
        kind: "text",
        max: 50,
        group: "The text that you show",
        label: "Version",
        says: "Identifies the current text, so that each release can be traced to it.",
      },
      {
        path: "consent.text",
        kind: "longText",
        max: 5000,
        group: "The text that you show",
        label: "Your text",
        says: "The sentence that your users see, kept as evidence.",
      },
      {
        path: "consent.url",
        kind: "text",
        empty: null,
        max: 2000,
        group: "The text that you show",
        label: "Where it is shown",
        says: "The page on which your users agree.",
      },
    ],
  },
];

/** The sections of a brand of an integration type. Only brands of v1 need its settings. */
export function sectionsOf(type: IntegrationType | undefined): readonly SectionWords[] {
  return sections.filter(({ id }) => id !== "v1" || type === "v1");
}

/** The name of the brand's uuid, in the sections that show it. */
export const idNames: Readonly<Record<string, string>> = { general: "Brand ID", openid: "Client ID" };

/** The fields of a section. A brand without the SDK first sees where its links lead. */
export function fieldsOf({ fields }: SectionWords, type: IntegrationType | undefined): readonly FieldWords[] {
  const isLast = ({ group }: FieldWords) => type !== "sdk" && group === sdkGroup;
  return [...fields.filter((field) => !isLast(field)), ...fields.filter(isLast)];
}

export const typeChoices: readonly Choice[] = Object.entries(words.types).map(([value, { name }]) => ({
  value,
  label: name,
}));

/** The fields of the setting at a path, or of the setting that contains it. Challenges have one for each input. */
function fieldsAt(path: string): FieldWords[] {
  const fields = sections.flatMap((section) => section.fields);
  return fields.filter((one) => path === one.path || path.startsWith(`${one.path}.`));
}

/** The title of the section that has the setting. */
function sectionName(path: string): string | undefined {
  const [top = ""] = path.split(".");
  const found = settingsSections.find(({ members }) => members.some((member) => member === top));
  return found === undefined ? undefined : words.compare.sections[found.id];
}

/** The label of the setting at a path, as the pages have it. A path without one has its section's title. */
export function settingName(path: string): string {
  const [field, ...others] = fieldsAt(path);
  if (field !== undefined && others.length === 0) return field.label;
  return stylingAt(path)?.label ?? sectionName(path) ?? path;
}

/** The label with its section, which tells apart two settings of one name. */
export function settingInSection(path: string): string {
  const [name, section] = [settingName(path), sectionName(path)];
  return section === undefined || section === name ? name : `${section} · ${name}`;
}

/** The value of a setting as its page shows it. */
export function settingText(path: string, value: unknown): string {
  const [field] = fieldsAt(path);
  const own = field?.kind === "type" ? typeChoices : field !== undefined && "choices" in field ? field.choices : [];
  const all = [...own, ...(stylingAt(path)?.choices ?? [])];
  return all.find((one) => one.value === value)?.label ?? textOf(value);
}

function stylingAt(path: string): { label: string; choices: readonly Choice[] } | undefined {
  const { labels, choices: given } = words.styling;
  const name = Object.keys(labels).find((one): one is keyof typeof labels => path === `styling.${one}`);
  if (name === undefined) return undefined;
  const found: readonly Choice[] | undefined = Object.entries(given).find(([one]) => one === name)?.[1];
  return { label: labels[name], choices: found ?? [] };
}
