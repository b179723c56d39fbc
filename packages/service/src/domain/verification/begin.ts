import { batched } from "../../store/batch.ts";
import type { Reader, Trx } from "../../store/database.ts";
import { breaksReference } from "../../store/outage.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail, invalid, refuse } from "../failure.ts";
import { codeLifeMs, makeCode, type OneTimeCode } from "../one-time-code.ts";
import { findPeople, type Person, type PersonOf } from "../person.ts";
import type { Phone } from "../ports.ts";
import { requiredWords } from "../problem-words.ts";
import { phoneAt } from "../supported-phone.ts";
import { mayUse, textsUnavailable } from "./channels.ts";
import { type Verification, type VerificationSecrets, verificationKeptMs } from "./verification.ts";
import { insertVerifications, sealSecrets } from "./verification-rows.ts";

export type BeginVerification = { phone?: string; deviceIp?: string };

/** Begins a verification by text. Creates a code, but sends nothing before `deliverText`. */
export async function beginVerification(deps: Deps, caller: Caller, input: BeginVerification): Promise<Verification> {
  if (!mayUse(caller.brand, "sms")) throw refuse(403, "The brand's settings have the sms channel off.");
  if (!deps.offers.texts) throw textsUnavailable();
  if (input.phone === undefined) throw invalid([{ path: "body.phone", message: requiredWords }]);
  const phone = judgedPhone(deps, input.phone);
  const secrets = { phone, ...(input.deviceIp === undefined ? {} : { deviceIp: input.deviceIp }) };
  return await insertTogether(deps, { brandUuid: caller.brand.uuid, secrets });
}

/** A phone that can be verified. Throws OCV009 if the number is not supported. */
export function judgedPhone(deps: Deps, text: string): Phone {
  if (deps.phones.judge(text).kind === "foreign") throw fail("OCV009", {});
  return phoneAt(deps, text, "body.phone");
}

type Beginning = { brandUuid: string; secrets: { phone: Phone; deviceIp?: string } };

/** Concurrent verifications are batched. */
const insertTogether = batched(async (deps: Deps, all: readonly Beginning[]): Promise<Verification[]> => {
  try {
    return await insertAll(deps, all);
  } catch (error) {
    // Another request created one of the people first. The second try finds them.
    if (breaksReference(error)) return await insertAll(deps, all);
    throw error;
  }
});

async function insertAll(deps: Deps, all: readonly Beginning[]): Promise<Verification[]> {
  const people = await findPeople(
    deps,
    all.map(({ secrets }) => secrets.phone),
  );
  const insert = async (reader: Reader, personOf: PersonOf) => {
    const made = all.map(({ brandUuid, secrets }) => {
      const person = personOf(secrets.phone);
      return { ...newVerification(deps, brandUuid, { person, secrets }), dataKey: person.dataKey, secrets };
    });
    await insertVerifications(
      reader,
      made.map(({ row }) => row),
    );
    return made.map(({ row, dataKey, secrets }) => ({ row, dataKey, secrets }));
  };
  // Stored people need no transaction: the insert is the only statement.
  if (people.kind === "stored") return await insert(deps.db, people.personOf);
  if (people.kind === "mustEnsure")
    return await deps.db.inTransaction(async (trx) => await insert(trx, await people.ensure(trx)));
  const made = people.make();
  return await deps.db.inTransaction(async (trx) => {
    const [, verifications] = await Promise.all([made.insert(trx), insert(trx, made.personOf)]);
    return verifications;
  });
}

/**
 * The person of a verification, and the key that encrypts it. `uuid`: null while the holder of the phone is unknown.
 */
type VerificationPerson = { uuid: string | null; dataKey: Person["dataKey"] };

/** The initial data of a verification by text. */
type NewVerification = {
  person: VerificationPerson;
  secrets: VerificationSecrets & { phone: Phone };
  /** The brand receives the code and texts it itself. */
  codeShownToBrand?: boolean;
};

/**
 * Inserts a verification by text and returns its code for the text. `brandUuid`: null for the service's own sign-ins.
 */
export async function insertVerification(
  deps: Deps,
  trx: Trx,
  brandUuid: string | null,
  input: NewVerification,
): Promise<{ uuid: string; code: OneTimeCode }> {
  const { row, code } = newVerification(deps, brandUuid, input);
  await insertVerifications(trx, [row]);
  return { uuid: row.uuid, code };
}

function newVerification(
  deps: Deps,
  brandUuid: string | null,
  { person, secrets, codeShownToBrand = false }: NewVerification,
) {
  const uuid = deps.random.uuid();
  const now = deps.clock.now();
  const { code, hash } = makeCode(deps, uuid, secrets.phone);
  const row = {
    uuid,
    environment: deps.environment,
    brand_uuid: brandUuid,
    person_uuid: person.uuid,
    data_key_uuid: person.dataKey.uuid,
    channel: "sms" as const,
    format: null,
    status: "pending" as const,
    sealed: sealSecrets(deps, person.dataKey, uuid, secrets),
    code_hmac: hash,
    code_shown_to_brand: codeShownToBrand,
    attempts_used: 0,
    deliveries: 0,
    created_at: now,
    expires_at: now + codeLifeMs,
    kept_until: now + verificationKeptMs,
    delivered_at: null,
    verified_at: null,
    denied_at: null,
    redirect_user_after: null,
  };
  return { row, code };
}
