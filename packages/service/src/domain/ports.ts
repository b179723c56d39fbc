/**
 * Everything outside the domain, as interfaces. The words the code uses:
 *
 * brand        a client company, per environment with its own keys and settings
 * person       whoever holds a phone; a recycled number starts a new generation
 * verification the proof that a person holds a phone, or the attempt at it
 * 1-Click      one request of a brand for a person's data, from the first call to the erased row
 * request tree what a brand asks for, in one spelling whatever the generation
 * credential   one value (or composite of values) about a person, with its issuer and dates
 * challenge    an input that must match the records: birth date, SSN4, first name
 * fact         what is stored; a wire shape is computed from facts on each read
 *
 * A port speaks these words. Outcomes that are to be expected are returned; only breakdowns throw.
 * No port is called inside a transaction.
 */
import type { CredentialType } from "@countersign/contract/credential";
import type { VerificationMethod } from "@countersign/contract/entity";
import type { ChallengeInput } from "@countersign/contract/errors";
import type { StoredPayer } from "../store/tables-production.ts";

/** A US phone number in E.164 that passed the environment's `PhoneBook`. */
export type Phone = string & { readonly Phone: unique symbol };

/** A credential as a source or an issuer gave it: an atomic value, or children. */
export type SourcedCredential = {
  id: string;
  type: CredentialType;
  verificationMethod: VerificationMethod;
  status: "valid" | "revoked";
  issuerUuid: string;
  /** Unix milliseconds. */
  issuanceDate: number;
  /** Unix milliseconds, or null where there is none. */
  expirationDate: number | null;
} & ({ value: string } | { children: SourcedCredential[] });

/** What a brand or a person gave, to find or to single out a person. */
export type PersonInputs = {
  email?: string;
  deviceIp?: string;
  birthDate?: string;
  ssn4?: string;
  fullName?: { firstName?: string; middleName?: string; lastName?: string };
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string; country?: string };
};

export type SourceAnswer =
  /** `credentials`: top-level credentials of any type the source holds, newest first within a type. */
  | { kind: "found"; credentials: SourcedCredential[] }
  /** The phone alone, or with what was given, does not single out one person; any one of `inputs` helps. */
  | { kind: "needs"; inputs: ChallengeInput[] }
  /** These given inputs differ from the records. */
  | { kind: "mismatch"; inputs: ChallengeInput[] }
  | { kind: "unknown" };

export interface IdentitySource {
  /** Inputs that cannot be right for anybody here; costs no attempt. */
  impossible(inputs: PersonInputs, phone?: Phone): ChallengeInput[];
  /** The issuer that values of this source carry. */
  readonly issuerUuid: string;
  /**
   * `compare`: the challenges to hold against the records. `narrow`: those that only help to find the person and are
   * never compared, as v1's birth date. An input in neither is not used.
   */
  lookUp(question: {
    phone: Phone;
    inputs: PersonInputs;
    compare: ChallengeInput[];
    narrow: ChallengeInput[];
    deadlineMs: number;
  }): Promise<SourceAnswer>;
}

/** Judges numbers, and knows those of fixed people. */
export interface PhoneBook {
  /** `malformed` is not E.164; `foreign` has another country code; `unsupported` looks right but is no number. */
  judge(text: string): { kind: "supported"; phone: Phone } | { kind: "malformed" | "foreign" | "unsupported" };
  /** Whether the number stands for one of the environment's fixed people, whom every customer tests with. */
  isFixed(phone: Phone): boolean;
  /** Whether customers may test with one number side by side: then a person's page shows the brands of one of them. */
  readonly sharesNumbers: boolean;
  /** Whether an e-mail address belongs to the environment's fixed people. */
  isFixedEmail(email: string): boolean;
}

/** Makes one-time codes: six digits. */
export interface CodeMaker {
  make(phone: Phone): string;
}

export type DeviceChannel = "autofill" | "silent";
export type CarrierAnswer =
  /** The line that the device is on. */
  | { kind: "phone"; phone: string }
  /** Not told, not the asked number, or another device than the one named. */
  | { kind: "failed" };
export interface Carrier {
  /** The address of a caller as devices are named: IPv6, mapped where it is IPv4. */
  deviceIpOf(callerIp: string): string;
  /** The same of whoever opened a page of ours; null where it is plainly no phone on its carrier's network. */
  mobileDeviceOf(callerIp: string): string | null;
  /** Whether this channel can work for a device at that address. */
  eligible(question: { channel: DeviceChannel; deviceIp: string }): Promise<boolean>;
  /** Where the device goes to be recognised; the carrier sends it to `returnTo` afterwards, with an answer for `finish`. */
  begin(question: {
    channel: DeviceChannel;
    deviceIp: string;
    phone?: Phone;
    returnTo: string;
  }): Promise<{ location: string }>;
  /** Judges what came back, and whether it came from the device that was named. */
  finish(question: {
    channel: DeviceChannel;
    deviceIp: string;
    callerIp: string;
    phone?: Phone;
    /** The address that `begin` was given: an answer that belongs to another is none. */
    returnTo: string;
    answer?: string;
    deadlineMs: number;
  }): Promise<CarrierAnswer>;
}

export type OutboundAnswer =
  | { kind: "answered"; status: number; durationMs: number }
  /** No answer in time, no connection, or an address that is not to be connected to. `error` names the kind only. */
  | { kind: "failed"; error: string; durationMs: number };
/** Requests to strangers' servers. Where an address leads is judged when the connection is made, on every attempt. */
export interface Outbound {
  /** What is wrong with an address as it is written; null when nothing is. */
  judge(url: string): string | null;
  /** One POST; redirects are not followed, and of the answer only the status is looked at. */
  post(request: {
    url: string;
    headers: Record<string, string>;
    body: string;
    timeoutMs: number;
  }): Promise<OutboundAnswer>;
}

export type SmsOutcome =
  | { kind: "delivered" }
  | { kind: "accepted" }
  /** `optedOut`: the gateway knows that the phone's holder wants no texts. */
  | { kind: "rejected"; reason: string; optedOut?: true };
export interface SmsSender {
  /** Sender's name or number, as the phone shows it. */
  readonly from: string;
  /** Whether a sent text stays readable for as long as its verification; otherwise it is wiped when it is sent. */
  readonly keepsTexts: boolean;
  /** The text's own id makes a repeated call recognisable to the gateway. */
  send(text: { id: string; to: Phone; body: string; deadlineMs: number }): Promise<SmsOutcome>;
}

export type Mail = { to: string; subject: string; body: string };
/** E-mails to members of customers' accounts. */
export interface MailSender {
  readonly from: string;
  /** Whether sent e-mails stay readable for a day, as where nobody else delivers them. */
  readonly keepsMails: boolean;
  /** The e-mail's own id makes a repeated call recognisable to the gateway. */
  send(mail: Mail & { id: string; deadlineMs: number }): Promise<void>;
}

/** Raw judgement about identifiers; level and recommendation follow from the score (`signup/risk.ts`). */
export type RiskJudgement = {
  /** 0 (none) to 1000. */
  score: number;
  reasonCodes: string[];
  phone: { carrier: { id: number; name: string }; reasonCodes: string[] };
  email: { reasonCodes: string[] };
  deviceIp: { reasonCodes: string[] };
};
export interface RiskScorer {
  score(question: { phone: Phone; email?: string; deviceIp?: string; deadlineMs: number }): Promise<RiskJudgement>;
}

/** A payer as the directory has it. */
export type DirectoryPayer = StoredPayer;
export interface PayerDirectory {
  readonly payers: readonly DirectoryPayer[];
}

/** Who is asked about: what a payer or a discovery searches by. */
export type InsuredPerson = {
  firstName?: string;
  middleName?: string;
  lastName?: string;
  birthDate?: string;
  sex?: string;
  ssn?: string;
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string };
};
/** What discovery found: a plan by its payer's id and the member id. */
export type FoundCoverage = {
  payerId: string;
  memberId: string;
  coverageTypes?: ("medical" | "dental" | "vision")[];
  serviceTypeCodes?: string[];
  isMedicare?: boolean;
};
export type DiscoveryAnswer =
  /** Likeliest first. */
  | { kind: "found"; coverages: FoundCoverage[] }
  /** Answered, without a result. */
  | { kind: "failed"; retryable: boolean };
export type CheckAnswer =
  /** What the payer sent, whatever it is, byte for byte as text. */
  { kind: "answered"; x12: string } | { kind: "failed"; retryable: boolean };
/** Each call costs money; an answer that does not come throws. */
export interface Clearinghouse {
  /** Stands in where neither request nor settings name a provider; null where one must be named. */
  readonly provider: { npi: string; name: string } | null;
  /** ISA06, ISA08 and ISA15 of what is written for it. */
  readonly envelope: { sender: string; receiver: string; usage: "T" | "P" };
  discover(question: {
    person: InsuredPerson;
    npi: string;
    /** Only these payers are asked about; undefined: all. */
    payerIds?: readonly string[];
    deadlineMs: number;
  }): Promise<DiscoveryAnswer>;
  /** `x12` is the 270; the members beside it say the same for those that do not speak X12. */
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
  /** Unix milliseconds of this environment. */
  now(): number;
}

export interface Random {
  uuid(): string;
  bytes(length: number): Buffer;
  /** A whole number in [0, below). */
  integer(below: number): number;
}

/** At most so many in a window, milliseconds. Windows begin at multiples of their length. */
export type Cap = { windowMs: number; max: number };
/** How much an environment texts, and lets guess. */
export type Caps = {
  /** Of brands' texts, as the next three. */
  textsToPhone: readonly Cap[];
  /** Numbers of one block of a thousand: +1 and seven digits. */
  textsToBlock: Cap;
  textsOfBrand: Cap;
  textsInAll: Cap;
  /** Of codes that brands' verifications have. */
  wrongCodesOfPhone: Cap;
  signIns: SignInCaps;
  /**
   * What looks like pumping: in an hour so many texts, of which fewer than the share were answered with a right code or a
   * followed link. Until the hour ends only so many more are sent. Null: nothing does. `brand` and `block` watch brands'
   * texts; `signIn` and `signInBlock` watch texts to sign in, in total and to a block.
   */
  pumping: {
    verifiedShareMin: number;
    brand: Suspicion;
    block: Suspicion;
    signIn: Suspicion;
    signInBlock: Suspicion;
  } | null;
};
/** Texts by which people sign in to their own pages. Strangers ask for them, so brands' texts are counted apart. */
export type SignInCaps = {
  /** Texts that one caller asks for: from an IPv4 address, or an IPv6 /64. */
  fromAddress: Cap;
  /** The same from a network: an IPv4 /24, or an IPv6 /48. */
  fromNetwork: Cap;
  toPhone: readonly Cap[];
  toBlock: Cap;
  inAll: Cap;
};
/** From how many texts on the share is looked at, and how many an hour has at most while it is too low. */
export type Suspicion = { textsMin: number; heldTo: number };

/** What a gateway says later about a text: signed by it, for a text of ours. Anything else is `refused`. */
export type TextReport =
  | { kind: "report"; textId: string; state: "sent" | "delivered" | "failed"; reason?: string }
  | { kind: "refused" };
export interface TextReports {
  /** `textId` is the last part of the address that the report was sent to, `body` the bytes as they came. */
  judge(request: { textId: string; body: string; headers: Readonly<Record<string, string | undefined>> }): TextReport;
}

/** What a person answered to the sender of texts, signed by it. `id` is the gateway's own, by which a repetition is known. */
export type IncomingText = { kind: "text"; id: string; from: string; body: string } | { kind: "refused" };
export interface IncomingTexts {
  judge(request: { body: string; headers: Readonly<Record<string, string | undefined>> }): IncomingText;
  /** What a gateway is told once a message was heeded. */
  answer: { type: string; body: string };
}

/** What was seen of identifiers before, across all brands of an environment; counts are of the last 24 hours. */
export type RiskFacts = {
  phone: {
    /** Unix milliseconds; null where there was no such event. */
    firstSeenAt: number | null;
    lastProvenAt: number | null;
    changedHandsAt: number | null;
    verifications: number;
    failedVerifications: number;
    brands: number;
    mismatches: number;
  };
  /** Other phones that were used with the same e-mail address or from the same device. */
  email?: { phones: number };
  deviceIp?: { phones: number };
};
export interface RiskHistory {
  of(question: { phone: Phone; email?: string; deviceIp?: string }): Promise<RiskFacts>;
}
