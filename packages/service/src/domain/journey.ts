import type { IntegrationType } from "@countersign/contract/brand";

const minute = 60_000;

/** Who shows that the phone is held. */
type Proof = "wallet" | "redirectCode" | "brandCode" | "attested";
/** Who texts: the service, the brand, nobody, or whom v1's `sendsSmsItself` names. */
type Sms = "service" | "brand" | "setting" | "none";

/** One way through the service. Flows read these columns and never ask for a row's name. */
export type Journey = {
  proof: Proof;
  sms: Sms;
  /** Where the person reviews and consents. */
  review: "wallet" | "brand";
  /** Whether the first call already answers the identity. */
  answers: "now" | "later";
  /** The parameter of the redirect back to the brand. */
  comesBackAs: "1ClickUuid" | "identityUuid" | null;
  /** How long reading goes on after the first read; null where only the 60 minutes count. */
  readableAfterFirstReadMs: number | null;
  /** How a text writes the code. */
  codeStyle: "plain" | "hyphen";
  /** Whether the data is also pushed to the receiver that the brand's settings name. */
  pushed: boolean;
  /** Whether a given birth date is held against the records, or only helps to find the person. */
  comparesBirthDate: boolean;
  /** Whether the person may go on to find their insurance, for brands that have 1-Click Health. */
  offersHealth: boolean;
};

const row = (
  proof: Proof,
  sms: Sms,
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
  //                proof           sms        review    answers  comes back as   readable after 1st read  code      pushed  compares birth date  offers health
  v1Hosted:     row("wallet",       "setting", "wallet", "later", "1ClickUuid",   5 * minute,              "hyphen", true,    false,               false),
  v1NonHosted:  row("redirectCode", "setting", "brand",  "later", "1ClickUuid",   5 * minute,              "hyphen", true,    false,               false),
  v1Trusted:    row("attested",     "none",    "brand",  "now",   null,           5 * minute,              "hyphen", false,   false,               false),
  v2Hosted:     row("wallet",       "brand",   "wallet", "later", "identityUuid", null,                    "plain",  false,   true,                false),
  v2SemiHosted: row("brandCode",    "brand",   "brand",  "later", null,           null,                    "plain",  false,   true,                false),
  v2NonHosted:  row("attested",     "none",    "brand",  "now",   null,           null,                    "plain",  false,   true,                false),
  v21Sdk:       row("wallet",       "service", "wallet", "later", "identityUuid", null,                    "plain",  false,   true,                true),
  v21Api:       row("attested",     "none",    "brand",  "now",   null,           null,                    "plain",  false,   true,                false),
} as const satisfies Record<string, Journey>;
export type JourneyName = keyof typeof journeys;

const isJourney = (name: string): name is JourneyName => Object.hasOwn(journeys, name);
/** Every row's name. */
export const journeyNames: readonly JourneyName[] = Object.keys(journeys).filter(isJourney);

/** The row that a brand's own `POST /1-click` under `/v2` begins; v1 brands have none there. */
export const journeyOfType: Record<IntegrationType, JourneyName | null> = {
  hosted: "v2Hosted",
  semiHosted: "v2SemiHosted",
  nonHosted: "v2NonHosted",
  sdk: "v21Sdk",
  api: "v21Api",
  v1: null,
};
