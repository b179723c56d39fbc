/** A minimal model of the service: the facts of a run, and the answers that follow from them. */
import { randomUUID } from "node:crypto";

const minute = 60_000;
const hour = 60 * minute;
const codeLifeMs = 5 * minute;
const readableAfterFirstReadMs = 5 * minute;
const verificationKeptMs = 24 * hour;
const answerKeptMs = 24 * hour;
export const readableMs = hour;
export const accessTokenMs = 10 * minute;
const codeAttemptsMax = 3;
const deliveriesMax = 3;
/** Distinct wrong values of one challenge input that a brand may try within the window. */
const challengeValuesMax = 3;
export const challengeWindowMs = 30 * minute;
/** Delays of a webhook delivery after each failed attempt. */
const retriesMs = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * minute);

export type Person = {
  phone: string;
  stopped: boolean;
  losesTexts: boolean;
  /** Wrong birth dates that one brand tried, with the time of each. */
  tried: Map<string, number>;
  /** What the person's page must show: the number of reads and releases, by action. */
  record: Record<string, number>;
};
export type Code = {
  person: Person;
  /** The correct code, which the brand or the person knows. */
  right: string;
  begunAt: number;
  attempts: number;
  deliveries: number;
  status: "pending" | "sending" | "delivered" | "verified" | "failed";
  /** Whether a text waits to be sent. */
  queued: boolean;
};
export type Verification = Code & { uuid: string; erased: boolean };
/**
 * A brand for each kind of flow. `v1` texts its people itself; `v1Hosted` uses the page and trusted calls; `openid` is
 * an OpenID client.
 */
export const kinds = ["api", "hosted", "semiHosted", "sdk", "v1", "v1Hosted", "openid"] as const;
export type Kind = (typeof kinds)[number];
export type OneClick = {
  uuid: string;
  kind: Kind;
  person: Person;
  state: "awaitingProof" | "awaitingDecision" | "released" | "declined";
  /** The code that proves the phone, or null if the brand vouches for it. */
  code: Code | null;
  page: string;
  session: string | null;
  expiresAt: number;
  erased: boolean;
};
/** The access token of an OpenID sign-in. It works until it ends, and only while the brand can read the 1-Click. */
export type Grant = { oneClick: OneClick; accessToken: string; endsAt: number };
export type Lookup = {
  uuid: string;
  person: Person | null;
  finalAt: number | null;
  erased: boolean;
  event: Event | null;
};
export type Event = { sentAt: number[]; nextAt: number | null; status: "pending" | "delivered" | "dead" };
export type Issued = { id: string; person: Person; status: "valid" | "revoked"; erased: boolean };
/** The answer to a request with an idempotency key. It counts for a day. */
export type Answer = { key: string; person: Person; oneClick: OneClick; at: number };
export type World = {
  people: Person[];
  verifications: Verification[];
  oneClicks: OneClick[];
  grants: Grant[];
  lookups: Lookup[];
  issued: Issued[];
  answers: Answer[];
  receiverFails: boolean;
};

export const newPerson = (phone: string): Person => ({
  phone,
  stopped: false,
  losesTexts: false,
  tried: new Map(),
  record: {},
});
export const newCode = (person: Person, right: string, begunAt: number): Code => ({
  person,
  right,
  begunAt,
  attempts: 0,
  deliveries: 0,
  status: "pending",
  queued: false,
});

export function noted({ record }: Person, action: string): void {
  record[action] = (record[action] ?? 0) + 1;
}

const isV1 = ({ kind }: OneClick) => kind === "v1" || kind === "v1Hosted";
/** Records a read. In v1, the five minutes start with the first read, and later reads do not extend them. */
export function noteRead(one: OneClick, now: number): void {
  noted(one.person, "oneClick.read");
  if (isV1(one)) one.expiresAt = Math.min(one.expiresAt, now + readableAfterFirstReadMs);
}

export function statusOf({ status, attempts, begunAt }: Code, now: number) {
  if (status === "verified" || status === "failed") return status;
  if (attempts >= codeAttemptsMax) return "failed";
  return now >= begunAt + codeLifeMs ? "expired" : status;
}
const isOpen = (code: Code, now: number) => ["pending", "sending", "delivered"].includes(statusOf(code, now));
export const remaining = ({ attempts }: Code) => codeAttemptsMax - attempts;
export const isUnknown = ({ erased, begunAt }: Verification, now: number) =>
  erased || now >= begunAt + verificationKeptMs;

/** Returns the error code of a delivery, or null on success. The caller then stores the newest code. */
export function deliver(code: Code, now: number): "OCV003" | "OCV004" | "OCV011" | null {
  if (!isOpen(code, now)) return "OCV003";
  if (code.deliveries >= deliveriesMax) return "OCV004";
  if (code.person.stopped) return "OCV011";
  Object.assign(code, { deliveries: code.deliveries + 1, status: "sending", queued: true });
  return null;
}

/** Returns the result of a submitted code. Each submission counts as an attempt, and the correct code works once. */
export function submit(code: Code, typed: string, now: number): "right" | "wrong" | "expired" | "failed" | "verified" {
  const status = statusOf(code, now);
  if (status === "expired" || status === "failed" || status === "verified") return status;
  code.attempts += 1;
  if (typed !== code.right) return "wrong";
  code.status = "verified";
  return "right";
}

/** Sends a waiting text, or loses it. */
function handOver(code: Code, now: number): void {
  if (!code.queued) return;
  code.queued = false;
  if (code.status !== "sending" || !isOpen(code, now)) return;
  code.status = code.person.stopped || code.person.losesTexts ? "failed" : "delivered";
}

/** Returns the error code for a birth date, or null if it is accepted. */
export function challenge(
  { tried }: Person,
  birthDate: string,
  isRight: boolean,
  now: number,
): "OCE012" | "OCE019" | null {
  const counted = [...tried].filter(([, at]) => at > now - challengeWindowMs).map(([value]) => value);
  if (!counted.includes(birthDate)) {
    if (counted.length >= challengeValuesMax) return "OCE019";
    if (!isRight) tried.set(birthDate, now);
  }
  return isRight ? null : "OCE012";
}

export const isReadable = ({ state, erased, expiresAt }: OneClick, now: number) =>
  !erased && now < expiresAt && (state === "released" || state === "declined");
export const isLive = ({ erased, expiresAt }: OneClick, now: number) => !erased && now < expiresAt;
export const isFound = ({ erased, finalAt }: Lookup, now: number) =>
  !erased && (finalAt === null || now < finalAt + readableMs);

/** An answer whose data was taken back still uses up its key. */
export const isKept = ({ at }: Answer, now: number) => now < at + answerKeptMs;

/** Runs everything that is due until `to`, each at its own time. */
export function pass(world: World, from: number, to: number): void {
  for (const code of [...world.verifications, ...world.oneClicks.flatMap(({ code: one }) => one ?? [])])
    handOver(code, from);
  for (const lookup of world.lookups) {
    if (lookup.finalAt === null && !lookup.erased) {
      lookup.finalAt = from;
      lookup.event = { sentAt: [], nextAt: from, status: "pending" };
    }
    if (lookup.event !== null) attempt(lookup.event, world.receiverFails, to);
  }
}

function attempt(event: Event, fails: boolean, to: number): void {
  while (event.nextAt !== null && event.nextAt <= to) {
    const at = event.nextAt;
    const delay = retriesMs[event.sentAt.push(at) - 1];
    event.nextAt = fails && delay !== undefined ? at + delay : null;
    if (event.nextAt === null) event.status = fails ? "dead" : "delivered";
  }
}

/** Removes what a person shared with some kinds of brands, and everything else if the person is deleted. */
export function takeBack(world: World, person: Person, of: readonly Kind[], isDeleted: "deleted" | "kept"): void {
  for (const one of world.oneClicks) if (one.person === person && of.includes(one.kind)) one.erased = true;
  // Only the API brand uses idempotency keys, verifies, looks up and issues here.
  if (!of.includes("api")) return;
  for (const one of world.verifications) if (one.person === person) one.erased = true;
  for (const one of world.lookups) {
    if (one.person !== person) continue;
    one.erased = true;
    if (one.event?.status === "pending") Object.assign(one.event, { status: "dead", nextAt: null });
  }
  if (isDeleted === "kept") return;
  for (const one of world.issued) if (one.person === person) one.erased = true;
  person.tried.clear();
  person.record = {};
}

/** Returns whether a person has a valid issued credential that a brand can request. */
export const hasIssued = ({ issued }: World, person: Person) =>
  issued.some((one) => one.person === person && one.status === "valid" && !one.erased);

export const newId = randomUUID;
