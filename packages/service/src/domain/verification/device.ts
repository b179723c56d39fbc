/**
 * Verification by device: the brand gets a URL. The person's device opens it once within a minute, visits the carrier
 * and comes back once. The update that starts a step also consumes its token, so a replay finds nothing.
 */
import { enqueue } from "../../store/queue.ts";
import { recordAudit } from "../audit/record.ts";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { answerOf, type Failure, fail, invalid, refuse } from "../failure.ts";
import { codeLifeMs } from "../one-time-code.ts";
import { ensurePerson, type Person } from "../person.ts";
import type { DeviceChannel, Phone } from "../ports.ts";
import { randomWord, wordHash } from "../token.ts";
import { eligible, mayUse } from "./channels.ts";
import { verificationKeptMs } from "./states.ts";
import { erasure, findVerificationUnbound, sealVerification, type Verification } from "./store.ts";

/** How long each step may take, milliseconds. */
export const deviceStepMs = 60_000;
const tokenLength = 43;

export type BeginDevice = { channel: DeviceChannel; deviceIp?: string; phone?: string };

/** Begins a verification by device. `location`: the URL that the device opens. */
export async function beginDevice(
  deps: Deps,
  caller: Caller,
  what: BeginDevice,
): Promise<{ uuid: string; location: string }> {
  const { channel, deviceIp } = what;
  if (!mayUse(caller.brand, channel))
    throw refuse(403, `The brand is not approved for the channel ${channel}, or has switched it off.`);
  if (deviceIp === undefined) throw invalid([{ path: "body.deviceIp", message: "is required" }]);
  if (channel === "silent" && what.phone === undefined) throw invalid([{ path: "body.phone", message: "is required" }]);
  const phone = what.phone === undefined ? undefined : judgedPhone(deps, what.phone);
  if (!(await eligible(deps, { channel, deviceIp }))) throw fail("OCV011", {}, `${nameOf(channel)} not eligible.`);

  const uuid = deps.random.uuid();
  const token = randomWord(deps.random, tokenLength);
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const person: Person | null = phone === undefined ? null : await ensurePerson(deps, trx, phone);
    const dataKey = person?.dataKey ?? (await deps.vault.createDataKey(trx, deps.environment, now));
    await trx
      .insertInto("verification")
      .values({
        uuid,
        environment: deps.environment,
        brand_uuid: caller.brand.uuid,
        person_uuid: person?.uuid ?? null,
        data_key_uuid: dataKey.uuid,
        channel,
        status: "pending",
        sealed: sealVerification(deps, dataKey, uuid, { deviceIp, ...(phone === undefined ? {} : { phone }) }),
        created_at: now,
        expires_at: now + codeLifeMs,
        kept_until: now + verificationKeptMs,
        device_token_hash: wordHash(token),
        device_token_until: now + deviceStepMs,
      })
      .execute();
    await enqueue(trx, erasure(deps, uuid, now));
  });
  return { uuid, location: `${deps.addresses.apiUrl}/1-click/verifications/device/${token}` };
}

/** Handles the device's visit to its URL. Returns the carrier's URL to redirect to. */
export async function followDevice(deps: Deps, token: string): Promise<string> {
  const now = deps.clock.now();
  const state = randomWord(deps.random, tokenLength);
  const row = await deps.db
    .updateTable("verification")
    .set({ device_token_hash: null, carrier_state_hash: wordHash(state), carrier_state_until: now + deviceStepMs })
    .where("device_token_hash", "=", wordHash(token))
    .where("device_token_until", ">", now)
    .where("status", "=", "pending")
    .where("environment", "=", deps.environment)
    .returning("uuid")
    .executeTakeFirst();
  if (row === undefined) throw fail("OCV005", {});
  const { row: found, secrets } = await findVerificationUnbound(deps, row.uuid);
  const { location } = await answerOf(
    deps.carrier.begin({
      channel: deviceChannel(found.channel),
      deviceIp: secrets.deviceIp ?? "::",
      ...(secrets.phone === undefined ? {} : { phone: secrets.phone }),
      returnTo: returnAddress(deps, state),
    }),
  );
  return location;
}

/** Handles the device's return, once: checks the carrier's answer and saves the result. */
export async function finishDevice(
  deps: Deps,
  what: { state: string; callerIp: string; answer?: string; requestId: string },
): Promise<Verification> {
  const now = deps.clock.now();
  const taken = await deps.db
    .updateTable("verification")
    .set({ carrier_state_hash: null })
    .where("carrier_state_hash", "=", wordHash(what.state))
    .where("carrier_state_until", ">", now)
    .where("status", "=", "pending")
    .where("environment", "=", deps.environment)
    .returning("uuid")
    .executeTakeFirst();
  if (taken === undefined) throw fail("OCV005", {});
  const { row, secrets } = await findVerificationUnbound(deps, taken.uuid);
  const channel = deviceChannel(row.channel);
  const answer = await deps.carrier
    .finish({
      channel,
      deviceIp: secrets.deviceIp ?? "::",
      callerIp: what.callerIp,
      returnTo: returnAddress(deps, what.state),
      deadlineMs: sourceDeadlineMs,
      ...optional(secrets.phone, what.answer),
    })
    // A carrier that fails proves nothing; the person continues by text.
    .catch(() => ({ kind: "failed" as const }));
  const judged = answer.kind === "phone" ? deps.phones.judge(answer.phone) : null;
  const proven =
    judged?.kind === "supported" && (secrets.phone === undefined || secrets.phone === judged.phone)
      ? judged.phone
      : null;
  if (proven === null) {
    await deps.db
      .updateTable("verification")
      .set({ status: "failed" })
      .where("uuid", "=", row.uuid)
      .where("status", "=", "pending")
      .execute();
    throw failureOf(channel);
  }
  return await prove(deps, {
    uuid: row.uuid,
    brandUuid: row.brand_uuid,
    phone: proven,
    deviceIp: secrets.deviceIp,
    requestId: what.requestId,
  });
}

/** The URL to which the carrier sends the device back. */
function returnAddress(deps: Deps, state: string): string {
  return `${deps.addresses.apiUrl}/1-click/verifications/device/${state}/result`;
}

async function prove(
  deps: Deps,
  about: { uuid: string; brandUuid: string | null; phone: Phone; deviceIp?: string; requestId: string },
): Promise<Verification> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    const person = await ensurePerson(deps, trx, about.phone);
    const secrets = { phone: about.phone, ...(about.deviceIp === undefined ? {} : { deviceIp: about.deviceIp }) };
    // From now on, the verification belongs to the person of the proven phone, whose key encrypts it.
    await trx
      .updateTable("verification")
      .set({
        status: "verified",
        verified_at: now,
        person_uuid: person.uuid,
        data_key_uuid: person.dataKey.uuid,
        sealed: sealVerification(deps, person.dataKey, about.uuid, secrets),
      })
      .where("uuid", "=", about.uuid)
      .where("status", "=", "pending")
      .execute();
    await trx.updateTable("person").set({ last_proven_at: now }).where("uuid", "=", person.uuid).execute();
    await recordAudit(
      deps,
      trx,
      {
        brand: about.brandUuid === null ? null : { uuid: about.brandUuid },
        apiKeyUuid: null,
        requestId: about.requestId,
      },
      { action: "verification.verified", personUuid: person.uuid, verificationUuid: about.uuid },
    );
  });
  return await findVerificationUnbound(deps, about.uuid);
}

function judgedPhone(deps: Deps, text: string): Phone {
  const judged = deps.phones.judge(text);
  if (judged.kind === "foreign") throw fail("OCV009", {});
  if (judged.kind !== "supported")
    throw invalid([{ path: "body.phone", message: "must be a US phone number in E.164" }]);
  return judged.phone;
}

function optional(phone: Phone | undefined, answer: string | undefined) {
  return { ...(phone === undefined ? {} : { phone }), ...(answer === undefined ? {} : { answer }) };
}

function failureOf(channel: DeviceChannel): Failure {
  return channel === "autofill" ? fail("OCV008", {}) : fail("OCV010", {});
}

function nameOf(channel: DeviceChannel): string {
  return channel === "autofill" ? "Autofill" : "Silent";
}

function deviceChannel(channel: string): DeviceChannel {
  if (channel !== "autofill" && channel !== "silent") throw new Error("not a verification by device");
  return channel;
}
