/**
 * Sign-in to the person's own page, by a text that the service sends. Strangers can request these texts, so the answer
 * is the same for every number. A job (`text-sign-in.ts`) decides whether the number has a record and gets a text.
 */
import type { Trx } from "../../store/database.ts";
import { enqueue } from "../../store/queue.ts";
import { type ConsentOnScreen, consentTo } from "../audit/consent.ts";
import { byPerson } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { ensurePerson, readPerson } from "../person.ts";
import { supportedPhone } from "../phone.ts";
import { insertVerification } from "../verification/begin.ts";
import { textsUnavailable } from "../verification/channels.ts";
import { findVerificationUnbound } from "../verification/find.ts";
import { countTextRequest } from "../verification/limits/caps.ts";
import type { CalledFrom } from "../verification/limits/use-count-rows.ts";
import { refusalOfCode, tryCodeThen } from "../verification/try-code.ts";
import {
  attemptsData,
  attemptsRemaining,
  deliveriesMax,
  statusAt,
  type Verification,
} from "../verification/verification.ts";
import { countDeliveries } from "../verification/verification-rows.ts";
import { setCustomer } from "./account-session-rows.ts";
import { openAccountSession } from "./session.ts";
import { ownerAt } from "./shown-brands.ts";

export type SignIn = {
  signIn: string;
  now: number;
  expiresAt: number;
  attemptsRemaining: number;
  canResend: boolean;
};

/** Requests a text with a code. The job looks up the person; this function recognizes only fixed people. */
export async function beginSignIn(
  deps: Deps,
  input: { phone: string; consent: ConsentOnScreen; from: CalledFrom },
): Promise<SignIn> {
  const given = consentTo("signIn", input.consent);
  const phone = supportedPhone(deps, input.phone);
  if (!deps.policy.offers.texts) throw textsUnavailable();
  await countTextRequest(deps, input.from);
  const uuid = await deps.db.inTransaction(async (trx) => {
    const fixed = deps.phones.isFixed(phone) ? await ensurePerson(deps, trx, phone) : null;
    const dataKey = await deps.vault.createDataKey(trx, deps.environment, deps.clock.now());
    const person = { uuid: fixed?.uuid ?? null, dataKey };
    const begun = await insertVerification(deps, trx, null, { person, secrets: { phone, consent: given } });
    await askForText(deps, trx, begun.uuid);
    return begun.uuid;
  });
  return await signInOf(deps, uuid);
}

/** Requests another text. When it is sent, its code replaces the previous one. */
export async function resendSignIn(deps: Deps, input: { uuid: string; from: CalledFrom }): Promise<SignIn> {
  const { row } = await findSignIn(deps, input.uuid);
  await countTextRequest(deps, input.from);
  await deps.db.inTransaction(async (trx) => {
    if (await askForText(deps, trx, row.uuid)) return;
    const status = statusAt(row, deps.clock.now());
    const open = status === "pending" || status === "sending" || status === "delivered";
    throw fail(open ? "OCV004" : "OCV003", attemptsData(row));
  });
  return await signInOf(deps, row.uuid);
}

/** Tries a code. Returns the token of the session that a right code opens. */
export async function finishSignIn(
  deps: Deps,
  input: { uuid: string; code: string; device: string; requestId: string },
): Promise<string> {
  const { row, secrets } = await findSignIn(deps, input.uuid);
  const { phone } = secrets;
  if (phone === undefined) throw fail("OCV005", {});
  const by = byPerson(input.requestId);
  const typed = { uuid: row.uuid, code: input.code, phone, action: "account.signedIn" } as const;
  const tried = await tryCodeThen(deps, by, typed, async (trx, { person_uuid: personUuid }) => {
    if (personUuid === null) throw new Error("the verified sign-in has no person");
    const person = await readPerson(deps, trx, personUuid);
    return await openAccountSession(deps, trx, { person, phone, customerUuid: null, device: input.device });
  });
  if (tried.kind === "right") {
    // Look this up only after a right code. Otherwise the time of a wrong one would reveal whether the phone has a
    // record.
    const { row: accepted, result: token } = tried;
    const { person_uuid: personUuid, created_at: at } = accepted;
    const customerUuid = personUuid === null ? null : await ownerAt(deps, { personUuid, at });
    if (customerUuid !== null) await setCustomer(deps, token, customerUuid);
    return token;
  }
  throw refusalOfCode(tried);
}

/** A verification that the service created for a sign-in. A brand's verification is treated as unknown. */
async function findSignIn(deps: Deps, uuid: string): Promise<Verification> {
  const found = await findVerificationUnbound(deps, uuid);
  const { row } = found;
  if (row.brand_uuid !== null || row.environment !== deps.environment) throw fail("OCV005", {});
  return found;
}

async function signInOf(deps: Deps, uuid: string): Promise<SignIn> {
  const { row } = await findSignIn(deps, uuid);
  return {
    signIn: uuid,
    now: deps.clock.now(),
    expiresAt: row.expires_at,
    attemptsRemaining: attemptsRemaining(row),
    canResend: row.deliveries < deliveriesMax,
  };
}

/** Counts a delivery and queues the job that may send it. False if no delivery is left. */
async function askForText(deps: Deps, trx: Trx, uuid: string): Promise<boolean> {
  // The current code stays valid until the job sends a new one.
  const unchanged = { code_hmac: null, link_hash: null, redirect_user_after: null, sealed: null };
  const [row = null] = await countDeliveries(trx, [{ uuid, format: "code", ...unchanged }], deps.clock.now());
  if (row === null) return false;
  const messageUuid = deps.random.uuid();
  await enqueue(deps, trx, {
    environment: deps.environment,
    name: "account.textSignIn",
    subject: messageUuid,
    dueAt: deps.clock.now(),
    payload: { verificationUuid: uuid, messageUuid },
  });
  return true;
}
