import type { IntegrationType } from "@countersign/contract/brand";
import type { JourneyName } from "../store/tables.ts";

export type { JourneyName } from "../store/tables.ts";

const minute = 60_000;

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
  /** Whether a given birth date is compared with the records, or only helps to find the person. */
  comparesBirthDate: boolean;
  /** Whether the person can find their insurance afterwards, for brands with 1-Click Health. */
  offersHealth: boolean;
};

/** The columns that v1 rows share. */
const v1 = {
  openPage: null,
  readableAfterFirstReadMs: 5 * minute,
  codeStyle: "hyphen",
  comparesBirthDate: false,
  offersHealth: false,
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
  openid:       { ...v2, proof: "wallet",       sms: "service", review: "wallet", answers: "later", openPage: "openid" },
};

const isJourney = (name: string): name is JourneyName => Object.hasOwn(journeys, name);
/** The names of all rows. */
export const journeyNames: readonly JourneyName[] = Object.keys(journeys).filter(isJourney);

/** The row used by a brand's `POST /1-click` under `/v2`; null for v1 brands, which cannot call it. */
export const journeyOfType: Record<IntegrationType, JourneyName | null> = {
  hosted: "v2Hosted",
  semiHosted: "v2SemiHosted",
  nonHosted: "v2NonHosted",
  sdk: "v21Sdk",
  api: "v21Api",
  v1: null,
};
