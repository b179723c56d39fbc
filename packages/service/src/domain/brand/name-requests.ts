/** Names that people read in texts. A changed name waits for the operator, while the current name stays in use. */
import type { BrandSettings } from "@countersign/contract/brand";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import { deleteNameRequest, findNameRequests, insertNameRequest, type NameOwner } from "./name-request-rows.ts";
import { otpHost } from "./settings.ts";

/** The settings that people read in texts. */
const nameSettings = ["externalName", "otpOrigin"] as const;

export type WaitingName = { path: string; current: string | null; requested: string; requestedAt: number };
export type RequestedName = { path: string; value: string };

/**
 * Separates the new names from a settings change. `settings` keep the current names, except an `otpOrigin` that is no
 * longer an allowed origin. Removing a name needs no approval.
 */
export function separateNames(
  current: Pick<BrandSettings, (typeof nameSettings)[number]>,
  next: BrandSettings,
): { settings: BrandSettings; requested: RequestedName[] } {
  const requested = nameSettings.flatMap((path) => {
    const value = next[path];
    return value === null || value === current[path] ? [] : [{ path, value }];
  });
  const kept = { ...next, externalName: current.externalName };
  if (requested.some(({ path }) => path === "otpOrigin"))
    kept.otpOrigin = otpHost({ ...next, otpOrigin: current.otpOrigin });
  return { settings: kept, requested };
}

/** The names in a patch, whether they are changed or set back to the current name. */
export function namesIn(patch: Record<string, unknown>): string[] {
  return nameSettings.filter((path) => Object.hasOwn(patch, path));
}

/** Replaces the waiting request of a name; null withdraws it. Returns whether a request was waiting. */
export async function replaceRequest(
  trx: HomeTrx,
  owner: NameOwner,
  { path, request }: { path: string; request: { uuid: string; value: string; now: number } | null },
): Promise<boolean> {
  const [wasWaiting] = await Promise.all([
    deleteNameRequest(trx, owner, path),
    request === null ? undefined : insertNameRequest(trx, owner, { path, ...request }),
  ]);
  return wasWaiting;
}

/** A brand's or an account's names that wait for approval, with the current names. */
export async function waitingNames(
  reader: HomeReader,
  owner: NameOwner,
  current: Readonly<Record<string, unknown>>,
): Promise<WaitingName[]> {
  const requests = await findNameRequests(reader, owner);
  return requests.map(({ path, value, requestedAt }) => {
    const inUse = current[path];
    return { path, current: typeof inUse === "string" ? inUse : null, requested: value, requestedAt };
  });
}
