/**
 * Verification by device, after it has begun: the person's device opens its URL once within a minute, visits the
 * carrier, and returns once. Each step consumes its token in one update, so a replay finds nothing.
 */
import { isLoopbackHost } from "@countersign/contract/loopback";
import { recordAudit } from "../audit/record.ts";
import { findActiveBrand } from "../brand/brand-rows.ts";
import { type Deps, sourceDeadlineMs } from "../deps.ts";
import { type Failure, fail, orUnavailable } from "../failure.ts";
import { ensurePerson } from "../person.ts";
import { markProven } from "../person-rows.ts";
import type { DeviceChannel, Phone } from "../ports.ts";
import { randomToken, tokenHash } from "../token.ts";
import { deviceStepMs } from "./begin.ts";
import { mayUse } from "./channels.ts";
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
    deps.vendors.carrier.begin({
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
  const { deviceIp, inWallet } = secrets;
  const known = { phone, ...(deviceIp === undefined ? {} : { deviceIp }), ...(inWallet === true ? { inWallet } : {}) };
  const proof = { uuid: row.uuid, brandUuid: row.brand_uuid, secrets: known, requestId: input.requestId };
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
  const answer = await deps.vendors.carrier
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

type Proven = Verification["secrets"] & { phone: Phone };
type Proof = { uuid: string; brandUuid: string | null; secrets: Proven; requestId: string };
type Moved = Pick<Verification["row"], "environment" | "brand_uuid" | "channel" | "created_at" | "expires_at">;

/** `moved`: the row, if it is not in this cell yet. */
async function prove(deps: Deps, proof: Proof, moved: Moved | null = null): Promise<Verification> {
  const now = deps.clock.now();
  await deps.db.inTransaction(async (trx) => {
    // Texts and deletion also lock verifications before people.
    await lockVerifications(trx, [proof.uuid]);
    const person = await ensurePerson(deps, trx, proof.secrets.phone);
    const sealed = sealSecrets(deps, person.dataKey, proof.uuid, proof.secrets);
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

function deviceChannel(channel: string): DeviceChannel {
  if (channel !== "autofill" && channel !== "silent") throw new Error("this verification has no device channel");
  return channel;
}
