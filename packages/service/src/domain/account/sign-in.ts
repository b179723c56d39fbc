/** Signing in to one's own page: a text of the service itself, in which no brand has a part. */
import type { Trx } from "../../store/database.ts";
import { consentTo, type Shown } from "../audit/consent.ts";
import { recordConsent } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { fail, refuse } from "../failure.ts";
import { makeCode } from "../one-time-code.ts";
import { ensurePerson, type Person } from "../person.ts";
import type { Phone } from "../ports.ts";
import { insertVerification } from "../verification/begin.ts";
import { noTexts } from "../verification/channels.ts";
import { queueTexts } from "../verification/deliver.ts";
import { attemptsData, attemptsRemaining, deliveriesMax, statusAt } from "../verification/states.ts";
import { findVerificationUnbound, type Verification } from "../verification/store.ts";
import { countDeliveries } from "../verification/text-rows.ts";
import { tryCode } from "../verification/try-code.ts";
import { ownerAt } from "./scope.ts";
import { openAccountSession } from "./session.ts";

/** Texts to sign in that one phone gets, whoever asks for them; a fixed person gets none in truth. */
const textsMax = [
  { windowMs: 60 * 60_000, texts: 5 },
  { windowMs: 24 * 60 * 60_000, texts: 10 },
] as const;

export type SignIn = {
  signIn: string;
  now: number;
  expiresAt: number;
  attemptsRemaining: number;
  canResend: boolean;
};

/** Texts a code. Says the same of every phone, whether it was seen before or not. */
export async function beginSignIn(
  deps: Deps,
  what: { phone: string; consent: Shown; requestId: string },
): Promise<SignIn> {
  const given = consentTo("signIn", what.consent);
  const judged = deps.phones.judge(what.phone);
  if (judged.kind !== "supported") throw fail("OCE002", {});
  const { phone } = judged;
  if (!deps.offers.texts) throw noTexts();
  const uuid = await deps.db.transaction().execute(async (trx) => {
    const person = await ensurePerson(deps, trx, phone);
    await checkTexts(deps, trx, { person, phone });
    const begun = await insertVerification(deps, trx, null, { person, secrets: { phone } });
    const by = { brand: null, apiKeyUuid: null, requestId: what.requestId };
    await recordConsent(deps, trx, by, { action: "prove", phone, personUuid: person.uuid, given });
    await sendCode(deps, trx, { uuid: begun.uuid, person, phone });
    return begun.uuid;
  });
  deps.wakeJobs();
  return await signInOf(deps, uuid);
}

/** A further text; its code replaces the one before. */
export async function resendSignIn(deps: Deps, uuid: string): Promise<SignIn> {
  const { row, secrets } = await findSignIn(deps, uuid);
  const { phone } = secrets;
  if (phone === undefined || row.person_uuid === null) throw fail("OCV005", {});
  const person = { uuid: row.person_uuid, dataKey: await deps.vault.readDataKey(deps.db, row.data_key_uuid) };
  await deps.db.transaction().execute(async (trx) => {
    await checkTexts(deps, trx, { person, phone });
    if (await sendCode(deps, trx, { uuid, person, phone })) return;
    const status = statusAt(row, deps.clock.now());
    const open = status === "pending" || status === "sending" || status === "delivered";
    throw fail(open ? "OCV004" : "OCV003", attemptsData(row));
  });
  deps.wakeJobs();
  return await signInOf(deps, uuid);
}

/** Tries a code; answers the token of the session that it opens. */
export async function finishSignIn(
  deps: Deps,
  what: { uuid: string; code: string; device: string; requestId: string },
): Promise<string> {
  const { row, secrets } = await findSignIn(deps, what.uuid);
  const { phone } = secrets;
  const personUuid = row.person_uuid;
  if (phone === undefined || personUuid === null) throw fail("OCV005", {});
  const dataKey = await deps.vault.readDataKey(deps.db, row.data_key_uuid);
  const by = { brand: null, apiKeyUuid: null, requestId: what.requestId };
  let token = "";
  const tried = await tryCode(deps, by, {
    uuid: row.uuid,
    code: what.code.replace("-", ""),
    phone,
    action: "account.signedIn",
    async open(trx) {
      const customerUuid = await ownerAt(deps, trx, { personUuid, at: row.created_at });
      const person = { uuid: personUuid, dataKey };
      token = await openAccountSession(deps, trx, { person, phone, customerUuid, device: what.device });
    },
  });
  if (tried.kind === "right") return token;
  const about = { expiresAt: row.expires_at };
  if (tried.kind === "wrong") throw fail("OCV001", { ...about, attemptsRemaining: tried.attemptsRemaining });
  const code = tried.status === "expired" ? "OCV007" : tried.status === "verified" ? "OCV001" : "OCV002";
  throw fail(code, { ...about, attemptsRemaining: 0 });
}

/** A verification that the service began for itself; a brand's is none of these. */
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

async function sendCode(
  deps: Deps,
  trx: Trx,
  { uuid, person, phone }: { uuid: string; person: Person; phone: Phone },
): Promise<boolean> {
  const { code, hash } = makeCode(deps, uuid, phone);
  const delivered = { uuid, format: "code" as const, code_hmac: hash };
  const withoutLink = { link_hash: null, redirect_user_after: null, sealed: null };
  const [row = null] = await countDeliveries(deps, trx, [{ ...delivered, ...withoutLink }]);
  if (row === null) return false;
  const { hostname } = new URL(deps.addresses.walletUrl);
  const digits = code.forText();
  const body = `${digits} is your code to sign in to Countersign. Do not share it.\n@${hostname} #${digits}`;
  await queueTexts(deps, trx, [{ row, brandUuid: null, dataKey: person.dataKey, phone, body }]);
  return true;
}

/** Counts the texts under a lock on the person, so that many who ask at once share the last one. */
async function checkTexts(deps: Deps, trx: Trx, { person, phone }: { person: Person; phone: Phone }): Promise<void> {
  await trx.selectFrom("person").select("uuid").where("uuid", "=", person.uuid).forUpdate().execute();
  if (deps.phones.isFixed(phone)) return;
  const now = deps.clock.now();
  const sent = await trx
    .selectFrom("message")
    .select("created_at")
    .where("environment", "=", deps.environment)
    .where("to_index", "=", deps.vault.index("phone", deps.environment, phone))
    .where("brand_uuid", "is", null)
    .execute();
  for (const { windowMs, texts } of textsMax) {
    if (sent.filter((one) => one.created_at > now - windowMs).length >= texts)
      throw refuse(429, "This phone was texted several times already; wait and try again.", {
        "retry-after": String(windowMs / 1000),
      });
  }
}
