import type { IntegrationType } from "@countersign/contract/brand";
import type { JourneyName } from "../store/tables.ts";

export type { JourneyName } from "../store/tables.ts";

const minute = 60_000;

/** Who proves that the person has the phone. */
type Proof = "wallet" | "redirectCode" | "brandCode" | "attested";
/** Who sends the text: the service, the brand, nobody, or the one chosen by v1's `sendsSmsItself`. */
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

const row = (
  proof: Proof,
  sms: Sms,
  openPage: Journey["openPage"],
  review: Journey["review"],
  answers: Journey["answers"],
  comesBackAs: Journey["comesBackAs"],
  readableAfterFirstReadMs: number | null,
  codeStyle: Journey["codeStyle"],
  pushed: boolean,
  comparesBirthDate: boolean,
  offersHealth: boolean,
): Journey => ({
  proof,
  sms,
  openPage,
  review,
  answers,
  comesBackAs,
  readableAfterFirstReadMs,
  codeStyle,
  pushed,
  comparesBirthDate,
  offersHealth,
});

// biome-ignore format: a table
export const journeys = {
  //                proof           sms        open page review    answers  comes back as   readable after 1st read  code      pushed  compares birth date  offers health
  v1Hosted:     row("wallet",       "setting", null,     "wallet", "later", "1ClickUuid",   5 * minute,              "hyphen", true,    false,               false),
  v1NonHosted:  row("redirectCode", "setting", null,     "brand",  "later", "1ClickUuid",   5 * minute,              "hyphen", true,    false,               false),
  v1Trusted:    row("attested",     "none",    null,     "brand",  "now",   null,           5 * minute,              "hyphen", false,   false,               false),
  v2Hosted:     row("wallet",       "brand",   null,     "wallet", "later", "identityUuid", null,                    "plain",  false,   true,                false),
  v2SemiHosted: row("brandCode",    "brand",   null,     "brand",  "later", null,           null,                    "plain",  false,   true,                false),
  v2NonHosted:  row("attested",     "none",    null,     "brand",  "now",   null,           null,                    "plain",  false,   true,                false),
  v21Sdk:       row("wallet",       "service", "sdk",    "wallet", "later", "identityUuid", null,                    "plain",  false,   true,                true),
  v21Api:       row("attested",     "none",    null,     "brand",  "now",   null,           null,                    "plain",  false,   true,                false),
  openid:       row("wallet",       "service", "openid", "wallet", "later", null,           null,                    "plain",  false,   true,                false),
} as const satisfies Record<JourneyName, Journey>;

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
