/** Names that wait for the operator: the requested names, next to the names in use. */
import type { BrandSettings } from "@countersign/contract/brand";
import type { Reader, Trx } from "../../store/database.ts";
import { otpHost } from "./settings.ts";

/** Settings that people read in texts. */
const heldSettings = ["externalName", "otpOrigin"] as const;

/** The owner of a name: a brand in one environment, or an account itself (`brandUuid` is null). */
export type NameOwner = { customerUuid: string; brandUuid: string | null; environment: string };
export type WaitingName = { path: string; current: string | null; requested: string; requestedAt: number };

/** The names that a settings change requests, and the settings that stay in use until approval. */
export type Held = {
  settings: BrandSettings;
  requested: { path: string; value: string }[];
};

/**
 * Separates name changes from a settings change. Current names stay in use, but an `otpOrigin` that is no longer an
 * allowed origin is dropped. Removing a name needs no approval.
 */
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

/** The names in a patch, whether they are changed or set back to the current name. */
export function heldIn(patch: Record<string, unknown>): string[] {
  return heldSettings.filter((path) => Object.hasOwn(patch, path));
}

/** Replaces the pending request of a name; null withdraws it. Returns whether a request was pending. */
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

/** A brand's or an account's names that wait for approval, with the current names. */
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
