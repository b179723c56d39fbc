/**
 * Everything outside the domain, as interfaces. The code uses these words:
 *
 * brand        a client company, per environment with its own keys and settings
 * person       the human who has a phone; a recycled number starts a new generation
 * verification the proof that a person has a phone, or the attempt at it
 * 1-Click      one request of a brand for a person's data, from the first call to the erased row
 * request tree what a brand asks for, in one format for all API generations
 * credential   one value (or composite of values) about a person, with its issuer and dates
 * challenge    an input that must match the records: birth date, SSN4, first name
 * fact         what is stored; a wire shape is computed from facts on each read
 *
 * Ports use these words. They return expected outcomes and throw only for breakdowns.
 * No port is called inside a transaction, except by the audit stream, whose lock keeps the entries in order.
 */
import type { KeyObject } from "node:crypto";
import type { CredentialType } from "@countersign/contract/credential";
import type { VerificationMethod } from "@countersign/contract/entity";
import type { ChallengeInput } from "@countersign/contract/errors";
import type { StoredPayer } from "../store/statements/tables.ts";

/** A US phone number in E.164 format that the environment's `PhoneBook` accepts. */
export type Phone = string & { readonly Phone: unique symbol };

/** A credential from a source or an issuer: a single value, or children. */
export type SourcedCredential = {
  id: string;
  type: CredentialType;
  verificationMethod: VerificationMethod;
  status: "valid" | "revoked";
  issuerUuid: string;
  /** Unix milliseconds. */
  issuanceDate: number;
  /** Unix milliseconds; null if it does not expire. */
  expirationDate: number | null;
} & ({ value: string; authority?: Authority } | { children: SourcedCredential[] });

/** Inputs from a brand or a person that find a person, or narrow several matches down to one. */
export type PersonInputs = {
  email?: string;
  deviceIp?: string;
  birthDate?: string;
  ssn4?: string;
  fullName?: { firstName?: string; middleName?: string; lastName?: string };
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string; country?: string };
};

export type SourceAnswer =
  /** `credentials`: top-level credentials of any type that the source has, newest first within a type. */
  | { kind: "found"; credentials: SourcedCredential[] }
  /** The phone and the inputs match several people. Any one of `inputs` helps to find the right one. */
  | { kind: "needs"; inputs: ChallengeInput[] }
  /** These inputs differ from the records. */
  | { kind: "mismatch"; inputs: ChallengeInput[] }
  | { kind: "unknown" };

export interface IdentitySource {
  /** Inputs that cannot be right for anyone in this environment. Checking them costs no attempt. */
  impossible(inputs: PersonInputs, phone?: Phone): ChallengeInput[];
  /** The issuer uuid of this source's values. */
  readonly issuerUuid: string;
  /**
   * `compare`: the challenges to compare with the records. `narrow`: challenges that only help to find the person and
   * are never compared, such as v1's birth date. An input in neither list is not used.
   */
  lookUp(question: {
    phone: Phone;
    inputs: PersonInputs;
    compare: ChallengeInput[];
    narrow: ChallengeInput[];
    deadlineMs: number;
  }): Promise<SourceAnswer>;
}

/** Validates phone numbers and knows the numbers of fixed test people. */
export interface PhoneBook {
  /** `malformed` is not E.164; `foreign` has another country code; `unsupported` is well formed but not valid. */
  judge(text: string): { kind: "supported"; phone: Phone } | { kind: "malformed" | "foreign" | "unsupported" };
  /** Whether the number belongs to one of the environment's fixed test people, who are shared by all customers. */
  isFixed(phone: Phone): boolean;
  /** Whether several customers may test with the same number. If so, a person's page shows one customer's brands. */
  readonly sharesNumbers: boolean;
  /** Whether an email address belongs to the environment's fixed test people. */
  isFixedEmail(email: string): boolean;
}

/** Makes six-digit one-time codes. */
export interface CodeMaker {
  make(phone: Phone): string;
}

export type DeviceChannel = "autofill" | "silent";
export type CarrierAnswer =
  /** The phone number of the device's line. */
  | { kind: "phone"; phone: string }
  /** The carrier did not answer, the number is not the expected one, or the device is not the expected one. */
  | { kind: "failed" };
export interface Carrier {
  /** Converts a caller's IP address to the format of device addresses: IPv6, with IPv4 as mapped IPv6. */
  deviceIpOf(callerIp: string): string;
  /** Converts a page visitor's IP address in the same way; null if it is not a phone on its carrier's network. */
  mobileDeviceOf(callerIp: string): string | null;
  /** Whether this channel can work for a device at this address. */
  eligible(question: { channel: DeviceChannel; deviceIp: string }): Promise<boolean>;
  /**
   * Returns the URL where the carrier recognizes the device. The carrier then redirects it to `returnTo`, with an
   * answer for `finish`.
   */
  begin(question: {
    channel: DeviceChannel;
    deviceIp: string;
    phone?: Phone;
    returnTo: string;
  }): Promise<{ location: string }>;
  /** Validates the answer, and that it came from the device that `begin` named. */
  finish(question: {
    channel: DeviceChannel;
    deviceIp: string;
    callerIp: string;
    phone?: Phone;
    /** The address that was given to `begin`. An answer for another address fails. */
    returnTo: string;
    answer?: string;
    deadlineMs: number;
  }): Promise<CarrierAnswer>;
}

export type OutboundAnswer =
  /** `text`: the beginning of the body, if the adapter keeps it. */
  | { kind: "answered"; status: number; text?: string; durationMs: number }
  /** No answer in time, no connection, or a forbidden address. `error` names only the kind of failure. */
  | { kind: "failed"; error: string; durationMs: number };
/** Requests to third-party servers. Addresses are checked when the connection is made, on every attempt. */
export interface Outbound {
  /** Checks how an address is written. Returns the problem, or null. */
  judge(url: string): string | null;
  /** Sends one POST. Redirects are not followed. */
  post(request: {
    url: string;
    headers: Record<string, string>;
    body: string;
    timeoutMs: number;
  }): Promise<OutboundAnswer>;
}

/** `carrier`: the name of the phone's carrier, if the gateway knows it. */
export type SmsOutcome = { carrier?: string } & (
  | { kind: "delivered" }
  | { kind: "accepted" }
  /** `optedOut`: the gateway knows that this phone opted out of texts. */
  | { kind: "rejected"; reason: string; optedOut?: true }
);
export interface SmsSender {
  /** The adapter's name, as in the metrics. */
  readonly route: string;
  /** The sender's name or number, as the phone shows it. */
  readonly from: string;
  /** Whether a sent text stays readable as long as its verification. Otherwise it is wiped once it is sent. */
  readonly keepsTexts: boolean;
  /**
   * `id` is the text's own id, so the gateway can recognize a repeated call. `mayBeSent`: an earlier attempt, perhaps of
   * another process, may have reached the gateway.
   */
  send(text: { id: string; to: Phone; body: string; mayBeSent: boolean; deadlineMs: number }): Promise<SmsOutcome>;
}

export type Mail = { to: string; subject: string; body: string };
/** Sends emails to members of customers' accounts. */
export interface MailSender {
  readonly from: string;
  /** Whether sent emails stay readable for a day, for environments that deliver none. */
  readonly keepsMails: boolean;
  /** `id` is the email's own id, so the gateway can recognize a repeated call. */
  send(mail: Mail & { id: string; deadlineMs: number }): Promise<void>;
}

/** What one sign-in with an OpenID provider must repeat. */
export type OpenIdSecrets = { state: string; nonce: string; verifier: string };
export type OpenIdAnswer =
  /** Who signed in. `email` is null if the provider names none. */
  | { kind: "known"; email: string | null; isVerified: boolean }
  /** The person or the provider refused. */
  | { kind: "denied" }
  /** The answer is not valid, or the provider cannot be reached. */
  | { kind: "failed" };
/** The operator's OpenID provider, with which members sign in to the dashboard. */
export interface OpenIdProvider {
  /** The provider's page, which returns to `returnsTo`. Null if the provider cannot be reached. */
  begin(options: OpenIdSecrets & { returnsTo: string }): Promise<string | null>;
  /** `returned`: the URL to which the provider sent the person. */
  finish(returned: string, secrets: OpenIdSecrets): Promise<OpenIdAnswer>;
  /** Whether the operator allows this address. */
  allows(email: string): boolean;
}

/** The raw risk score of identifiers. Level and recommendation are derived from the score (`signup/entity.ts`). */
export type RiskJudgment = {
  /** 0 (none) to 1000. */
  score: number;
  reasonCodes: string[];
  phone: { carrier: { id: number; name: string }; reasonCodes: string[] };
  email: { reasonCodes: string[] };
  deviceIp: { reasonCodes: string[] };
};
/** `brandUuid`: the brand that asks. A source outside the service does not get it. */
export type RiskQuestion = { brandUuid: string; phone: Phone; email?: string; deviceIp?: string };
export interface RiskScorer {
  score(question: RiskQuestion & { deadlineMs: number }): Promise<RiskJudgment>;
}

/** A payer in the directory. */
export type DirectoryPayer = StoredPayer;
export interface PayerDirectory {
  readonly payers: readonly DirectoryPayer[];
}

/** The person that a payer or a discovery searches for. */
export type InsuredPerson = {
  firstName?: string;
  middleName?: string;
  lastName?: string;
  birthDate?: string;
  sex?: string;
  ssn?: string;
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string };
};
/** A plan found by discovery: its payer's id and the member id. */
export type FoundCoverage = {
  payerId: string;
  memberId: string;
  /** Missing: the service derives them from `serviceTypeCodes`. */
  coverageTypes?: ("medical" | "dental" | "vision")[];
  serviceTypeCodes?: string[];
  isMedicare?: boolean;
};
export type DiscoveryAnswer =
  /** The most likely plan first. */
  | { kind: "found"; coverages: FoundCoverage[] }
  /** The call was answered, without a result. */
  | { kind: "failed"; retryable: boolean };
export type CheckAnswer =
  /** What the payer sent, byte for byte as text. It may be anything. */
  { kind: "answered"; x12: string } | { kind: "failed"; retryable: boolean };
/** Each call costs money. A call without an answer throws. */
export interface Clearinghouse {
  /** Used if neither the request nor the settings name a provider; null if one must be named. */
  readonly provider: { npi: string; name: string } | null;
  /** ISA06, ISA08 and ISA15 of the X12 requests. */
  readonly envelope: { sender: string; receiver: string; usage: "T" | "P" };
  discover(question: {
    person: InsuredPerson;
    npi: string;
    /** Ask only these payers; undefined: all payers. */
    payerIds?: readonly string[];
    deadlineMs: number;
  }): Promise<DiscoveryAnswer>;
  /** `x12` is the 270. The other members carry the same data for implementations that do not use X12. */
  check(question: {
    x12: string;
    trace: string;
    person: InsuredPerson;
    payer: { id: string; name: string };
    memberId?: string;
    npi: string;
    at: number;
    deadlineMs: number;
  }): Promise<CheckAnswer>;
}

export interface Clock {
  /** The environment's time, in Unix milliseconds. */
  now(): number;
}

export interface Random {
  uuid(): string;
  bytes(length: number): Buffer;
  /** An integer in [0, below). */
  integer(below: number): number;
  /** The characters that name the cell in a token with these other characters (`cell-number.ts`). Empty for home. */
  cellMarkOf(rest: string): string;
  /** The uuid that an object gets when it moves here. */
  moved(uuid: string): string;
}

/** A limit per window, in milliseconds. Windows start at multiples of their length. */
export type Cap = { windowMs: number; max: number };
/** Limits on texts, on wrong codes and on questions to the identity source, in an environment. */
export type Caps = {
  /**
   * This limit and the next three apply to brands' texts. Texts that people request in the SDK's frame are counted
   * separately with the same limits, and so are texts that they request at the OpenID Provider.
   */
  textsToPhone: readonly Cap[];
  /** Limit per block of a thousand numbers: +1 and seven digits. */
  textsToBlock: Cap;
  textsOfBrand: Cap;
  textsInAll: Cap;
  /** Limit on wrong codes for one phone, over all brands' verifications. */
  wrongCodesOfPhone: Cap;
  /** Limit on wrong codes for one brand, over all its verifications. */
  wrongCodesOfBrand: Cap;
  /** Limit on the questions about one phone to the identity source that its holder causes, over all pages. */
  questionsAboutPhone: Cap;
  signIns: SignInCaps;
  /** Limits on authorization requests at the OpenID Provider, per caller and network. Each one is stored. */
  authorizations: Pick<SignInCaps, "fromAddress" | "fromNetwork">;
  /**
   * Alarms for SMS pumping. An alarm is raised when an hour's texts reach `textsMin` and too few were answered with a
   * right code or a followed link. The hour's texts are then limited to `textsMax`. `brand` and `block` count brands'
   * texts; `signIn` and `signInBlock` count sign-in texts, in total and per block. Null: no alarms.
   */
  pumping: {
    verifiedShareMin: number;
    brand: Suspicion;
    block: Suspicion;
    signIn: Suspicion;
    signInBlock: Suspicion;
  } | null;
};
/**
 * Limits on texts that sign people in to their own pages. Anyone can ask for these texts, so they are counted apart
 * from brands' texts.
 */
export type SignInCaps = {
  /** Limit per caller: an IPv4 address, or an IPv6 /64. */
  fromAddress: Cap;
  /** Limit per network: an IPv4 /24, or an IPv6 /48. */
  fromNetwork: Cap;
  toPhone: readonly Cap[];
  toBlock: Cap;
  inAll: Cap;
};
/** `textsMin`: texts per hour from which the share is checked. `textsMax`: the hour's limit if the share is too low. */
export type Suspicion = { textsMin: number; textsMax: number };

/** A gateway's later report about one of our texts, signed by the gateway. Anything else is `refused`. */
export type TextReport =
  | { kind: "report"; textId: string; state: "sent" | "delivered" | "failed"; reason?: string; carrier?: string }
  | { kind: "refused" };
export interface TextReports {
  /** `textId` is the last part of the URL that the report was sent to. `body` is the raw body. */
  judge(request: { textId: string; body: string; headers: Readonly<Record<string, string | undefined>> }): TextReport;
}

/**
 * What the gateway made of an incoming text: it stopped texts to the phone, started them again, or did neither. The
 * operator of a gateway chooses its keywords and their languages.
 */
export type Keyword = "stop" | "start" | "none";
/**
 * A person's answer to a text, signed by the gateway. `id` is the gateway's own id; it identifies repeated calls.
 * Without `keyword`, the gateway leaves the decision to the words of the text.
 */
export type IncomingText =
  | { kind: "text"; id: string; from: string; body: string; keyword?: Keyword }
  | { kind: "refused" };
export interface IncomingTexts {
  judge(request: { body: string; headers: Readonly<Record<string, string | undefined>> }): IncomingText;
  /** The response to the gateway once a message was processed. */
  answer: { type: string; body: string };
}

/** What was seen of identifiers before, across all brands of an environment. Counts cover the last 24 hours. */
export type RiskFacts = {
  phone: {
    /** Unix milliseconds; null if there was no such event. */
    changedHandsAt: number | null;
    /** Of each brand, only some count, so that one brand cannot block a phone at others. */
    verifications: number;
    failedVerifications: number;
    mismatches: number;
    brands: number;
  };
  /** Other phones used with the same email address or from the same device. */
  email?: { phones: number };
  deviceIp?: { phones: number };
};
export interface RiskHistory {
  of(question: RiskQuestion): Promise<RiskFacts>;
}

/** Issues state IDs. `name`: such as "California". `jurisdiction`: ISO 3166-2, such as `US-CA`. */
export type Authority = { name: string; jurisdiction: string };
/** `certificate`: the authority's root certificate (IACA of ISO/IEC 18013-5), DER. */
export type IssuingAuthority = Authority & { certificate: Uint8Array };
/** The reader certificate with its intermediates, DER, leaf first, and the key that signs our requests. */
export type StateIdReader = { chain: readonly Uint8Array[]; key: KeyObject };
/** What it takes to ask for state IDs and to verify them. */
export interface StateIdTrust {
  /** The authorities that this environment trusts. Empty: no state ID is accepted. */
  authorities(): Promise<readonly IssuingAuthority[]>;
  /** The status list (a CWT) at an address that an authority signed. Null if it cannot be read now. */
  statusList(uri: string, deadlineMs: number): Promise<Uint8Array | null>;
  /** Status lists that were verified, which this process uses again for a few minutes. */
  keptLists: Map<string, { bits: unknown; statuses: unknown; until: number }>;
  /** Null: our requests are unsigned. */
  reader(): Promise<StateIdReader | null>;
}
