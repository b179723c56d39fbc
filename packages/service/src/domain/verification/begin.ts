/** Begins verifications: by text, by device, or by the first channel that can begin. */

import { minuteMs } from "@countersign/contract/time";
import type { Reader, Trx } from "../../store/database.ts";
import { breaksReference } from "../../store/outage.ts";
import { batched } from "../../store/statements/batch.ts";
import type { Caller, Deps } from "../deps.ts";
import { Failure, fail, invalid, refuse } from "../failure.ts";
import { codeLifeMs, makeCode, type OneTimeCode } from "../one-time-code.ts";
import { ensurePerson, findPeople, type Person, type PersonOf } from "../person.ts";
import { phoneAt } from "../phone.ts";
import type { DeviceChannel, Phone } from "../ports.ts";
import { requiredWords } from "../problem-words.ts";
import { randomToken, tokenHash } from "../token.ts";
import { eligible, mayUse, textsUnavailable } from "./channels.ts";
import { type Verification, type VerificationSecrets, verificationKeptMs } from "./verification.ts";
import { insertVerifications, sealSecrets } from "./verification-rows.ts";

type Channel = DeviceChannel | "sms";
/** A verification by text, or the URL that the device opens. */
type Begun = Verification | { channel: DeviceChannel; uuid: string; location: string };

export type BeginVerification = { phone?: string; deviceIp?: string };

/**
 * Begins the first channel that can begin. Skips a channel if the brand may not use it, the carrier does not support
 * the device, or the request lacks an input. Throws the last channel's error if none can begin.
 */
export async function beginFirst(
  deps: Deps,
  caller: Caller,
  { channels, ...input }: BeginVerification & { channels: readonly Channel[] },
): Promise<Begun> {
  let failure: Failure | null = null;
  for (const channel of channels) {
    try {
      if (channel === "sms") return await beginVerification(deps, caller, input);
      return { channel, ...(await beginDevice(deps, caller, { ...input, channel })) };
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      failure = error;
    }
  }
  throw failure ?? new Error("no channel was named");
}

/** Begins a verification by text. Creates a code, but sends nothing before `deliverText`. */
export async function beginVerification(deps: Deps, caller: Caller, input: BeginVerification): Promise<Verification> {
  if (!mayUse(caller.brand, "sms")) throw refuse(403, "The brand's settings have the sms channel off.");
  if (!deps.policy.offers.texts) throw textsUnavailable();
  if (input.phone === undefined) throw invalid([{ path: "body.phone", message: requiredWords }]);
  const phone = judgedPhone(deps, input.phone);
  const secrets = { phone, ...(input.deviceIp === undefined ? {} : { deviceIp: input.deviceIp }) };
  return await insertTogether(deps, { brandUuid: caller.brand.uuid, secrets });
}

/** A phone that can be verified. Throws OCV009 if the number is not supported. */
function judgedPhone(deps: Deps, text: string): Phone {
  if (deps.phones.judge(text).kind === "foreign") throw fail("OCV009", {});
  return phoneAt(deps, text, "body.phone");
}

/** How long each step of a device may take, milliseconds. */
export const deviceStepMs = minuteMs;
/** `inWallet`: only the wallet's own page may finish it. */
type BeginDevice = { channel: DeviceChannel; deviceIp?: string; phone?: string; inWallet?: true };

/** Begins a verification by device. `location`: the URL that the device opens. */
export async function beginDevice(
  deps: Deps,
  caller: Caller,
  input: BeginDevice,
): Promise<{ uuid: string; location: string }> {
  const { channel, deviceIp, inWallet } = input;
  if (!mayUse(caller.brand, channel))
    throw refuse(403, `The brand is not approved for the ${channel} channel, or its settings disable the channel.`);
  if (deviceIp === undefined) throw invalid([{ path: "body.deviceIp", message: requiredWords }]);
  if (channel === "silent" && input.phone === undefined)
    throw invalid([{ path: "body.phone", message: requiredWords }]);
  const phone = input.phone === undefined ? undefined : judgedPhone(deps, input.phone);
  if (!(await eligible(deps, { channel, deviceIp }))) throw fail("OCV011", {}, `${nameOf(channel)} not eligible.`);

  const uuid = deps.random.uuid();
  const token = randomToken(deps.random);
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const person: Person | null = phone === undefined ? null : await ensurePerson(deps, trx, phone);
    const dataKey = person?.dataKey ?? (await deps.vault.createDataKey(trx, deps.environment, now));
    const row = {
      uuid,
      environment: deps.environment,
      brand_uuid: caller.brand.uuid,
      person_uuid: person?.uuid ?? null,
      data_key_uuid: dataKey.uuid,
      channel,
      status: "pending" as const,
      sealed: sealSecrets(deps, dataKey, uuid, {
        deviceIp,
        ...(phone === undefined ? {} : { phone }),
        ...(inWallet === undefined ? {} : { inWallet }),
      }),
      created_at: now,
      expires_at: now + codeLifeMs,
      kept_until: now + verificationKeptMs,
      device_token_hash: tokenHash(token),
      device_token_until: now + deviceStepMs,
    };
    await insertVerifications(trx, [row]);
  });
  return { uuid, location: `${deps.addresses.apiUrl}/1-click/verifications/device/${token}` };
}

function nameOf(channel: DeviceChannel): string {
  return channel === "autofill" ? "Autofill" : "Silent";
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
    return await deps.db.inTransaction(async (trx) => {
      const personOf = await people.ensure(trx);
      return await trx.last(() => insert(trx, personOf));
    });
  const made = people.make();
  return await deps.db.inTransaction(async (trx) => {
    const [, verifications] = await trx.last(() => Promise.all([made.insert(trx), insert(trx, made.personOf)]));
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
