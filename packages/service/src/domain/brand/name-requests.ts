/** Names that wait for the operator: what is requested, beside what is in use. */
import type { BrandSettings } from "@countersign/contract/brand";
import type { Reader, Trx } from "../../store/database.ts";
import { otpHost } from "./settings.ts";

/** Settings that people read in texts. */
const heldSettings = ["externalName", "otpOrigin"] as const;

/** Whose name it is: a brand's in one environment, or an account's own. */
export type NameOwner = { customerUuid: string; brandUuid: string | null; environment: string };
export type WaitingName = { path: string; current: string | null; requested: string; requestedAt: number };

/** What a change of settings requests of the operator, and the settings that are in use meanwhile. */
export type Held = {
  settings: BrandSettings;
  requested: { path: string; value: string }[];
};

/** Keeps the names in use, but for a host that is no allowed origin's any more. Taking a name away needs no approval. */
export function heldBack(current: Pick<BrandSettings, (typeof heldSettings)[number]>, next: BrandSettings): Held {
  const requested = heldSettings.flatMap((path) => {
    const value = next[path];
    return value === null || value === current[path] ? [] : [{ path, value }];
  });
  const waits = (path: string) => requested.some((one) => one.path === path);
  const kept = { ...next, externalName: current.externalName };
  if (waits("otpOrigin")) kept.otpOrigin = otpHost({ ...next, otpOrigin: current.otpOrigin });
  return { settings: kept, requested };
}

/** The held settings that a patch names, requested or put back to what is in use. */
export function heldIn(patch: Record<string, unknown>): string[] {
  return heldSettings.filter((path) => Object.hasOwn(patch, path));
}

/** Stores a request in place of the one before; null withdraws it. Answers whether one was there. */
export async function putRequest(
  trx: Trx,
  owner: NameOwner,
  what: { path: string; request: { uuid: string; value: string; now: number } | null },
): Promise<boolean> {
  const { path, request } = what;
  const former = await trx
    .deleteFrom("name_request")
    .where("customer_uuid", "=", owner.customerUuid)
    .where("brand_uuid", "is not distinct from", owner.brandUuid)
    .where("environment", "=", owner.environment)
    .where("path", "=", path)
    .returning("uuid")
    .executeTakeFirst();
  if (request !== null)
    await trx
      .insertInto("name_request")
      .values({
        uuid: request.uuid,
        customer_uuid: owner.customerUuid,
        brand_uuid: owner.brandUuid,
        environment: owner.environment,
        path,
        value: request.value,
        requested_at: request.now,
      })
      .execute();
  return former !== undefined;
}

/** A brand's names that wait, beside those in use. */
export async function waitingNames(
  reader: Reader,
  owner: NameOwner,
  current: Readonly<Record<string, unknown>>,
): Promise<WaitingName[]> {
  const rows = await reader
    .selectFrom("name_request")
    .select(["path", "value", "requested_at"])
    .where("customer_uuid", "=", owner.customerUuid)
    .where("brand_uuid", "is not distinct from", owner.brandUuid)
    .where("environment", "=", owner.environment)
    .orderBy("path")
    .execute();
  return rows.map(({ path, value, requested_at }) => {
    const inUse = current[path];
    return { path, current: typeof inUse === "string" ? inUse : null, requested: value, requestedAt: requested_at };
  });
}
