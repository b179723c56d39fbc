import type { HomeTrx } from "../../store/database.ts";
import { invalid, refuse } from "../failure.ts";
import { ipRangeProblems, makeApiKey } from "./api-key.ts";
import { countWorkingKeys, insertKey, type KeyLine, lockKey, updateKey } from "./api-key-rows.ts";
import { lockBrandRow } from "./brand-rows.ts";
import { type AdminDeps, type Alongside, changeBrands } from "./manage.ts";
import { assertLabel } from "./name.ts";

const hourMs = 60 * 60_000;
/** Maximum number of working keys per brand and environment. */
const keysMax = 50;

type Which = { brandUuid: string; keyUuid: string };

/** Adds a key, limited to the given IP ranges. */
export async function addKey(
  deps: AdminDeps,
  input: { brandUuid: string; name: string; ipRanges: string[]; createdBy: string | null },
  alongside: Alongside<{ lastFour: string }>,
): Promise<{ uuid: string; apiKey: string }> {
  assertLabel("body.name", input.name);
  const problems = ipRangeProblems(input.ipRanges);
  if (problems.length > 0) throw invalid(problems);
  const apiKey = makeApiKey(deps.random, deps.environment);
  const uuid = await changeBrands(deps, async (trx) => {
    await makeRoom(deps, trx, input.brandUuid);
    const made = await insertKey(deps, trx, { ...input, apiKey });
    await alongside(trx, { lastFour: apiKey.slice(-4) });
    return made;
  });
  return { uuid, apiKey };
}

export async function editKey(
  deps: AdminDeps,
  input: Which & { name: string; ipRanges: string[] },
  alongside: Alongside<KeyLine>,
): Promise<void> {
  assertLabel("body.name", input.name);
  const problems = ipRangeProblems(input.ipRanges);
  if (problems.length > 0) throw invalid(problems);
  await changeBrands(deps, async (trx) => {
    const before = await lockWorkingKey(deps, trx, input);
    await updateKey(trx, before.uuid, { name: input.name, ipRanges: input.ipRanges });
    await alongside(trx, before);
  });
}

/** Creates a successor of a key. The old key keeps working for `overlapHours`. */
export async function rollKey(
  deps: AdminDeps,
  input: Which & { overlapHours: number; createdBy: string | null },
  alongside: Alongside<KeyLine & { nextLastFour: string }>,
): Promise<{ uuid: string; apiKey: string }> {
  const apiKey = makeApiKey(deps.random, deps.environment);
  const uuid = await changeBrands(deps, async (trx) => {
    const old = await lockWorkingKey(deps, trx, input);
    if (old.endsAt !== null) throw refuse(409, "This key has already been rolled.");
    await makeRoom(deps, trx, input.brandUuid);
    const made = await insertKey(deps, trx, { ...input, name: old.name, ipRanges: old.ipRanges, apiKey });
    await updateKey(trx, old.uuid, { endsAt: deps.clock.now() + input.overlapHours * hourMs });
    await alongside(trx, { ...old, nextLastFour: apiKey.slice(-4) });
    return made;
  });
  return { uuid, apiKey };
}

/** Revokes a key. Every process refuses it as soon as the change is committed. */
export async function revokeKey(deps: AdminDeps, input: Which, alongside: Alongside<KeyLine>): Promise<void> {
  await changeBrands(deps, async (trx) => {
    const key = await lockWorkingKey(deps, trx, input);
    await updateKey(trx, key.uuid, { revokedAt: deps.clock.now() });
    await alongside(trx, key);
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
