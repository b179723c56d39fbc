/** Decides whether to text a sign-in code. Strangers can ask for one, so no answer reveals what is decided here. */
import type { Trx } from "../../store/database.ts";
import type { JobPayloads } from "../../store/queue.ts";
import { type ConsentGiven, recordConsent } from "../audit/consent.ts";
import { byPerson } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { Failure, fail } from "../failure.ts";
import { makeCode, type OneTimeCode } from "../one-time-code.ts";
import { findPerson } from "../person.ts";
import { lockPersonWithRecord } from "../person-rows.ts";
import type { Phone } from "../ports.ts";
import { findVerificationUnbound } from "../verification/find.ts";
import { listTextUuids } from "../verification/texts/message-rows.ts";
import { type CountedTexts, queueTexts, textPhones } from "../verification/texts/queue-texts.ts";
import { attemptsData, type Verification } from "../verification/verification.ts";
import { replaceCode } from "../verification/verification-rows.ts";

/** Job: texts a sign-in code to a phone whose person has a record here, within the limits. */
export async function textSignIn(
  deps: Deps,
  { verificationUuid, messageUuid }: JobPayloads["account.textSignIn"],
): Promise<void> {
  try {
    const { secrets, ...found } = await findVerificationUnbound(deps, verificationUuid);
    const { phone } = secrets;
    const person = phone === undefined ? null : await findPerson(deps, phone);
    if (phone === undefined || person === null) return;
    const text = { ...found, ...secrets, phone, personUuid: person.uuid, messageUuid };
    await textPhones(deps, [{ phone, brandUuid: null }], {
      queue: (counted) => deps.db.inTransaction((trx) => sendCode(deps, trx, { ...text, counted })),
      isQueued: (wasQueued) => wasQueued,
    });
  } catch (error) {
    // A limit, an alarm, STOP, or the end of the sign-in. The transaction was rolled back, and the caller must not
    // notice.
    if (!(error instanceof Failure)) throw error;
  }
}

type SignInText = Pick<Verification, "row" | "dataKey"> & {
  phone: Phone;
  consent?: ConsentGiven;
  personUuid: string;
  messageUuid: string;
  counted: CountedTexts;
};

/** False if the phone gets no text. */
async function sendCode(
  deps: Deps,
  trx: Trx,
  { row, dataKey, phone, consent, personUuid, messageUuid, counted }: SignInText,
): Promise<boolean> {
  if (!deps.phones.isFixed(phone) && !(await lockPersonWithRecord(trx, personUuid))) return false;
  const texts = await listTextUuids(trx, row.uuid);
  // This job has already queued the text, but its end was not recorded.
  if (texts.includes(messageUuid)) return false;
  if (texts.length === 0 && consent !== undefined) {
    const by = byPerson(messageUuid);
    await recordConsent(deps, trx, by, { action: "prove", phone, personUuid, given: consent });
  }
  const { code, hash } = makeCode(deps, row.uuid, phone);
  const text = { uuid: messageUuid, row: { ...row, person_uuid: personUuid }, brandUuid: null, customerUuid: null };
  await queueTexts(deps, trx, { all: [{ ...text, dataKey, phone, body: bodyOf(deps, code) }], counted });
  // Lock the verification last, and therefore briefly. Otherwise a stranger who tries a code could tell from the delay
  // that this phone gets a text.
  if (!(await replaceCode(trx, { uuid: row.uuid, personUuid, hash, now: deps.clock.now() })))
    throw fail("OCV003", attemptsData(row));
  return true;
}

function bodyOf({ addresses, policy: { isTest } }: Deps, code: OneTimeCode): string {
  const { hostname } = new URL(addresses.walletUrl);
  const digits = code.forText();
  return `${digits} is your code to sign in to Countersign${isTest ? " (test)" : ""}. Do not share it.\n@${hostname} #${digits}`;
}
