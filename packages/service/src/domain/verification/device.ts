/**
 * Verification by device: the brand gets a URL. The person's device opens it once within a minute, visits the carrier,
 * and returns once. Each step consumes its token in one update, so a replay finds nothing.
 */
import { isLoopbackHost } from "@countersign/contract/loopback";
import { recordAudit } from "../audit/record.ts";
import { findActiveBrand } from "../brand/brand-rows.ts";
import { type Caller, type Deps, sourceDeadlineMs } from "../deps.ts";
import { type Failure, fail, invalid, orUnavailable, refuse } from "../failure.ts";
import { codeLifeMs } from "../one-time-code.ts";
import { ensurePerson, type Person } from "../person.ts";
import { markProven } from "../person-rows.ts";
import type { DeviceChannel, Phone } from "../ports.ts";
import { requiredWords } from "../problem-words.ts";
import { randomToken, tokenHash } from "../token.ts";
import { judgedPhone } from "./begin.ts";
import { eligible, mayUse } from "./channels.ts";
import { dropVerification } from "./erase.ts";
import { findVerificationUnbound } from "./find.ts";
import { type Verification, verificationKeptMs } from "./verification.ts";
import {
  failByDevice,
  insertVerifications,
  lockVerifications,
  sealSecrets,
  useCarrierState,
  useDeviceToken,
  verifyByDevice,
} from "./verification-rows.ts";

/** How long each step may take, milliseconds. */
const deviceStepMs = 60_000;
/** `inWallet`: only the wallet's own page may finish it. */
export type BeginDevice = { channel: DeviceChannel; deviceIp?: string; phone?: string; inWallet?: true };

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

/** Handles the device's visit to its URL. Returns the carrier's URL to redirect to. */
export async function followDevice(deps: Deps, token: string): Promise<string> {
  const now = deps.clock.now();
  const state = randomToken(deps.random);
  const row = await useDeviceToken(deps.db, {
    environment: deps.environment,
    hash: tokenHash(token),
    now,
    next: { hash: tokenHash(state), until: now + deviceStepMs },
  });
  if (row === null) throw fail("OCV005", {});
  const { row: found, secrets } = await findVerificationUnbound(deps, row.uuid);
  if (!(await mayStillUse(deps, found))) throw fail("OCV005", {});
  const { location } = await orUnavailable(
    deps.carrier.begin({
      channel: deviceChannel(found.channel),
      deviceIp: secrets.deviceIp ?? "::",
      ...(secrets.phone === undefined ? {} : { phone: secrets.phone }),
      returnTo: returnAddress(deps, state),
    }),
  );
  return location;
}

/** The return of a device. `referrer`: the page that made the request, which browsers report through all redirects. */
type Return = { state: string; callerIp: string; answer?: string; referrer?: string | undefined; requestId: string };

/** Handles the device's return, once: checks the carrier's answer and saves the result. */
export async function finishDevice(deps: Deps, input: Return): Promise<Verification> {
  const taken = await useCarrierState(deps.db, {
    environment: deps.environment,
    hash: tokenHash(input.state),
    now: deps.clock.now(),
  });
  if (taken === null) throw fail("OCV005", {});
  const verification = await findVerificationUnbound(deps, taken.uuid);
  const { row, secrets } = verification;
  const phone = await phoneFromCarrier(deps, verification, input);
  if (phone === null || !(await mayStillUse(deps, row))) {
    await failByDevice(deps.db, row.uuid);
    throw failureOf(deviceChannel(row.channel));
  }
  const { deviceIp } = secrets;
  const proof = { uuid: row.uuid, brandUuid: row.brand_uuid, phone, deviceIp, requestId: input.requestId };
  const cell = await deps.cells.ofPhone(phone);
  return cell.db === deps.db ? await prove(deps, proof) : await proveElsewhere(deps, cell, { row, proof });
}

/** Whether the brand may still use the channel. The operator may have stopped the brand since the device began. */
async function mayStillUse(deps: Deps, row: Verification["row"]): Promise<boolean> {
  const brand = await findActiveBrand(deps.home, deps.environment, row.brand_uuid);
  return brand !== null && mayUse(brand, deviceChannel(row.channel));
}

/** Asks the carrier for the device's phone. Null if the answer proves no phone; the person then continues by text. */
async function phoneFromCarrier(deps: Deps, { row, secrets }: Verification, input: Return): Promise<Phone | null> {
  const channel = deviceChannel(row.channel);
  // Redirects hide the origin, so any page may read the result. Another site's page must therefore prove nothing.
  const isAllowed = secrets.inWallet !== true || isOnWallet(deps, input.referrer);
  if (!isAllowed) return null;
  const answer = await deps.carrier
    .finish({
      channel,
      deviceIp: secrets.deviceIp ?? "::",
      callerIp: input.callerIp,
      returnTo: returnAddress(deps, input.state),
      deadlineMs: sourceDeadlineMs,
      ...(secrets.phone === undefined ? {} : { phone: secrets.phone }),
      ...(input.answer === undefined ? {} : { answer: input.answer }),
    })
    .catch(() => null);
  const judged = answer?.kind === "phone" ? deps.phones.judge(answer.phone) : null;
  if (judged?.kind !== "supported") return null;
  return secrets.phone === undefined || secrets.phone === judged.phone ? judged.phone : null;
}

/**
 * Saves a proof in the cell of the phone that the carrier reported. The verification began in another cell, because the
 * phone was unknown. After a crash between the two steps, the first row stays pending until it expires.
 */
async function proveElsewhere(
  from: Deps,
  to: Deps,
  { row, proof }: { row: Verification["row"]; proof: Proof },
): Promise<Verification> {
  const { environment, brand_uuid, channel, created_at, expires_at } = row;
  const uuid = to.random.moved(row.uuid);
  const moved = { environment, brand_uuid, channel, created_at, expires_at };
  const verification = await prove(to, { ...proof, uuid }, moved);
  await from.db.inTransaction((trx) => dropVerification(trx, row.uuid));
  return verification;
}

/** Whether the wallet's own page made the request. A page of another site cannot send the wallet's address. */
function isOnWallet({ addresses }: Deps, referrer: string | undefined): boolean {
  const page = referrer === undefined ? null : URL.parse(referrer);
  const wallet = new URL(addresses.walletUrl);
  if (page === null || page.origin === wallet.origin) return page !== null;
  // Developers open a local wallet by any name of this machine.
  return page.port === wallet.port && isLoopbackHost(page.hostname) && isLoopbackHost(wallet.hostname);
}

/** The URL to which the carrier sends the device back. */
function returnAddress(deps: Deps, state: string): string {
  return `${deps.addresses.apiUrl}/1-click/verifications/device/${state}/result`;
}

type Proof = { uuid: string; brandUuid: string | null; phone: Phone; deviceIp: string | undefined; requestId: string };
type Moved = Pick<Verification["row"], "environment" | "brand_uuid" | "channel" | "created_at" | "expires_at">;

/** `moved`: the row, if it is not in this cell yet. */
async function prove(deps: Deps, proof: Proof, moved: Moved | null = null): Promise<Verification> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    // Texts and deletion also lock verifications before people.
    await lockVerifications(trx, [proof.uuid]);
    const person = await ensurePerson(deps, trx, proof.phone);
    const secrets = { phone: proof.phone, ...(proof.deviceIp === undefined ? {} : { deviceIp: proof.deviceIp }) };
    const sealed = sealSecrets(deps, person.dataKey, proof.uuid, secrets);
    const by = {
      brand: proof.brandUuid === null ? null : { uuid: proof.brandUuid },
      apiKeyUuid: null,
      requestId: proof.requestId,
    };
    const entry = { personUuid: person.uuid, verificationUuid: proof.uuid };
    if (moved !== null) {
      const { uuid } = proof;
      const key = { person_uuid: person.uuid, data_key_uuid: person.dataKey.uuid };
      const kept_until = moved.created_at + verificationKeptMs;
      await insertVerifications(trx, [{ ...moved, ...key, kept_until, uuid, status: "pending", sealed }]);
    }
    const [isVerified] = await Promise.all([
      verifyByDevice(trx, {
        uuid: proof.uuid,
        personUuid: person.uuid,
        dataKeyUuid: person.dataKey.uuid,
        sealed,
        now,
      }),
      markProven(trx, [person.uuid], now),
      recordAudit(deps, trx, by, { action: "verification.verified", ...entry }),
    ]);
    // The person ended it while the carrier was asked. Roll back, because nothing would erase these rows.
    if (!isVerified) throw fail("OCV005", {});
  });
  return await findVerificationUnbound(deps, proof.uuid);
}

function failureOf(channel: DeviceChannel): Failure {
  return channel === "autofill" ? fail("OCV008", {}) : fail("OCV010", {});
}

function nameOf(channel: DeviceChannel): string {
  return channel === "autofill" ? "Autofill" : "Silent";
}

function deviceChannel(channel: string): DeviceChannel {
  if (channel !== "autofill" && channel !== "silent") throw new Error("this verification has no device channel");
  return channel;
}
