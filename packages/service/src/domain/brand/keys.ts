import { hourMs } from "@countersign/contract/time";
import type { HomeTrx } from "../../store/database.ts";
import { type AccountActor, recordChange } from "../audit/account-audit-rows.ts";
import { invalid, refuse } from "../failure.ts";
import { ipRangeProblems, makeApiKey } from "./api-key.ts";
import { countWorkingKeys, insertKey, type KeyLine, lockKey, updateKey } from "./api-key-rows.ts";
import { lockBrandRow } from "./brand-rows.ts";
import { type AdminDeps, changeBrands } from "./manage.ts";
import { assertLabel } from "./name.ts";

/** Maximum number of working keys per brand and environment. */
const keysMax = 50;

type Which = { brandUuid: string; keyUuid: string };

/** Adds a key, limited to the given IP ranges. */
export async function addKey(
  deps: AdminDeps,
  { brandUuid, name, ipRanges }: { brandUuid: string; name: string; ipRanges: string[] },
  by: AccountActor,
): Promise<{ uuid: string; apiKey: string }> {
  assertLabel("body.name", name);
  const problems = ipRangeProblems(ipRanges);
  if (problems.length > 0) throw invalid(problems);
  const { environment } = deps;
  const apiKey = makeApiKey(deps.random, environment);
  const uuid = await changeBrands(deps, async (trx) => {
    await makeRoom(deps, trx, brandUuid);
    const made = await insertKey(deps, trx, { brandUuid, name, ipRanges, apiKey, createdBy: by.member.uuid });
    // The entry of a command has only the key's name.
    const changes = by.member.uuid === null ? [] : [{ path: "lastFour", to: apiKey.slice(-4) }];
    await recordChange(deps, trx, by, { action: "key.created", brandUuid, environment, subject: name, changes });
    return made;
  });
  return { uuid, apiKey };
}

export async function editKey(
  deps: AdminDeps,
  { name, ipRanges, ...which }: Which & { name: string; ipRanges: string[] },
  by: AccountActor,
): Promise<void> {
  assertLabel("body.name", name);
  const problems = ipRangeProblems(ipRanges);
  if (problems.length > 0) throw invalid(problems);
  await changeBrands(deps, async (trx) => {
    const before = await lockWorkingKey(deps, trx, which);
    await updateKey(trx, before.uuid, { name, ipRanges });
    const [from, to] = [before.ipRanges.join(", "), ipRanges.join(", ")];
    const changes = [
      ...(before.name === name ? [] : [{ path: "name", from: before.name, to: name }]),
      ...(from === to ? [] : [{ path: "ipRanges", from, to }]),
    ];
    const { brandUuid } = which;
    const { environment } = deps;
    await recordChange(deps, trx, by, {
      action: "key.changed",
      brandUuid,
      environment,
      subject: before.name,
      changes,
    });
  });
}

/** Creates a successor of a key. The old key keeps working for `overlapHours`. */
export async function rollKey(
  deps: AdminDeps,
  { overlapHours, ...which }: Which & { overlapHours: number },
  by: AccountActor,
): Promise<{ uuid: string; apiKey: string }> {
  const { environment } = deps;
  const apiKey = makeApiKey(deps.random, environment);
  const uuid = await changeBrands(deps, async (trx) => {
    const old = await lockWorkingKey(deps, trx, which);
    if (old.endsAt !== null) throw refuse(409, "This key has already been rolled.");
    const { brandUuid } = which;
    const { name, ipRanges } = old;
    await makeRoom(deps, trx, brandUuid);
    const made = await insertKey(deps, trx, { brandUuid, name, ipRanges, apiKey, createdBy: by.member.uuid });
    await updateKey(trx, old.uuid, { endsAt: deps.clock.now() + overlapHours * hourMs });
    const changes = [
      { path: "overlapHours", to: String(overlapHours) },
      { path: "lastFour", from: old.lastFour, to: apiKey.slice(-4) },
    ];
    await recordChange(deps, trx, by, { action: "key.rolled", brandUuid, environment, subject: name, changes });
    return made;
  });
  return { uuid, apiKey };
}

/**
 * Revokes a key. Every process refuses it as soon as the change is committed. `subject`: how the audit log names the
 * key, if not by its name.
 */
export async function revokeKey(
  deps: AdminDeps,
  { subject, ...which }: Which & { subject?: string },
  by?: AccountActor,
): Promise<void> {
  await changeBrands(deps, async (trx) => {
    const key = await lockWorkingKey(deps, trx, which);
    await updateKey(trx, key.uuid, { revokedAt: deps.clock.now() });
    const { brandUuid } = which;
    const { environment } = deps;
    const entry = { action: "key.revoked" as const, brandUuid, environment, subject: subject ?? key.name };
    await recordChange(deps, trx, by, entry);
  });
}

async function lockWorkingKey({ environment }: AdminDeps, trx: HomeTrx, key: Which): Promise<KeyLine> {
  const found = await lockKey(trx, environment, key);
  if (found === undefined) throw refuse(404, "No such key.");
  return found;
}

async function makeRoom({ environment, clock }: AdminDeps, trx: HomeTrx, brandUuid: string): Promise<void> {
  // Parallel calls wait for this lock, so each one counts the keys of the calls before it.
  await lockBrandRow(trx, brandUuid);
  const working = await countWorkingKeys(trx, environment, brandUuid, clock.now());
  if (working >= keysMax) throw refuse(409, `A brand can have at most ${keysMax} keys; revoke one first.`);
}
