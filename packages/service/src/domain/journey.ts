import type { BrandSettings, IntegrationType } from "@countersign/contract/brand";
import { minuteMs } from "@countersign/contract/time";
import type { JourneyName } from "../store/statements/tables.ts";

export type { JourneyName } from "../store/statements/tables.ts";

/** Who proves that the person has the phone. */
type Proof = "wallet" | "redirectCode" | "brandCode" | "attested";
/** Who sends the text: the service, the brand, nobody, or, in v1's sandbox, the one chosen by `sendsSmsItself`. */
type Sms = "service" | "brand" | "setting" | "none";

/** Pages on which a stranger can ask for texts to any phone. Their texts are counted separately from brands' texts. */
export type OpenPage = "sdk" | "openid";

/** One integration flow. The code reads these columns and never checks a row's name. */
export type Journey = {
  proof: Proof;
  sms: Sms;
  /** The kind of page on which anyone can ask for a text. Null if only a brand's API key can. */
  openPage: OpenPage | null;
  /** Where the person reviews and consents. */
  review: "wallet" | "brand";
  /** Whether the first call already returns the identity. */
  answers: "now" | "later";
  /** The query parameter that carries the uuid in the redirect back to the brand. */
  comesBackAs: "1ClickUuid" | "identityUuid" | null;
  /** How long data stays readable after the first read, in milliseconds; null if only the 60 minutes count. */
  readableAfterFirstReadMs: number | null;
  /** How the code is written in a text. */
  codeStyle: "plain" | "hyphen";
  /** Whether the data is also pushed to the receiver in the brand's settings. */
  pushed: boolean;
  /** Whether a birth date from the brand is compared with the records, or only helps to find the person. */
  comparesBirthDate: boolean;
  /** Whether the person can find their insurance afterwards, for brands with 1-Click Health. */
  offersHealth: boolean;
  /** Who reads it: the brand with its API key, or an OpenID client with tokens, which gets only what its scopes name. */
  readWith: "apiKey" | "tokens";
};

/** The columns that v1 rows share. */
const v1 = {
  openPage: null,
  readableAfterFirstReadMs: 5 * minuteMs,
  codeStyle: "hyphen",
  comparesBirthDate: false,
  offersHealth: false,
  readWith: "apiKey",
} as const satisfies Partial<Journey>;
/** The columns that most v2 rows share. */
const v2 = {
  openPage: null,
  comesBackAs: null,
  readableAfterFirstReadMs: null,
  codeStyle: "plain",
  pushed: false,
  comparesBirthDate: true,
  offersHealth: false,
  readWith: "apiKey",
} as const satisfies Partial<Journey>;
/** The brand has proven the phone, and one call returns the identity. */
const attested = {
  proof: "attested",
  sms: "none",
  review: "brand",
  answers: "now",
  comesBackAs: null,
  pushed: false,
} as const satisfies Partial<Journey>;

// biome-ignore format: a table
export const journeys: Readonly<Record<JourneyName, Journey>> = {
  v1Hosted:     { ...v1, proof: "wallet",       sms: "setting", review: "wallet", answers: "later", comesBackAs: "1ClickUuid", pushed: true },
  v1NonHosted:  { ...v1, proof: "redirectCode", sms: "setting", review: "brand",  answers: "later", comesBackAs: "1ClickUuid", pushed: true },
  v1Trusted:    { ...v1, ...attested },
  v2Hosted:     { ...v2, proof: "wallet",       sms: "brand",   review: "wallet", answers: "later", comesBackAs: "identityUuid" },
  v2SemiHosted: { ...v2, proof: "brandCode",    sms: "brand",   review: "brand",  answers: "later" },
  v2NonHosted:  { ...v2, ...attested },
  v21Sdk:       { ...v2, proof: "wallet",       sms: "service", review: "wallet", answers: "later", comesBackAs: "identityUuid", openPage: "sdk", offersHealth: true },
  v21Api:       { ...v2, ...attested },
  openid:       { ...v2, proof: "wallet",       sms: "service", review: "wallet", answers: "later", openPage: "openid", readWith: "tokens" },
};

const isJourney = (name: string): name is JourneyName => Object.hasOwn(journeys, name);
/** The names of all rows. */
export const journeyNames: readonly JourneyName[] = Object.keys(journeys).filter(isJourney);

/** What the integration type in a brand's settings allows. The code reads these columns and never checks a row's name. */
export type Integration = {
  /** The row used by the brand's `POST /1-click` under `/v2`; null for v1 brands, which cannot call it. */
  journey: JourneyName | null;
  /** Where the brand's calls are. */
  calls: "/1-click" | "/v2" | "/v2.1";
  /** Whether the brand makes keys for the SDK instead of 1-Clicks. */
  makesSessions: boolean;
  /** Whether answers have the headers of a deprecated interface. */
  deprecated: boolean;
  /** The format of birth dates, unless the brand's settings say otherwise. */
  birthDate: BrandSettings["credentialFormats"]["birthDate"];
  /** The types to which a brand with traffic may change. */
  becomes: readonly IntegrationType[];
};

const newest = { calls: "/v2.1", deprecated: false, birthDate: "yyyy-MM-dd", becomes: [] } as const;
const v20 = { calls: "/v2", makesSessions: false, deprecated: true, birthDate: "yyyy-MM-dd" } as const;

// biome-ignore format: a table
export const integrations: Readonly<Record<IntegrationType, Integration>> = {
  v1:         { ...v20, journey: null, calls: "/1-click", birthDate: "unixTimestamp", becomes: ["hosted", "semiHosted", "nonHosted"] },
  hosted:     { ...v20, journey: "v2Hosted", becomes: ["sdk"] },
  semiHosted: { ...v20, journey: "v2SemiHosted", becomes: ["api"] },
  // This type may also call /v2.1.
  nonHosted:  { ...v20, journey: "v2NonHosted", calls: "/v2.1", becomes: ["api"] },
  sdk:        { ...newest, journey: "v21Sdk", makesSessions: true },
  api:        { ...newest, journey: "v21Api", makesSessions: false },
};
