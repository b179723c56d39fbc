/**
 * Names that people read in texts, and logos. A changed one waits for the operator, while the current one stays in use.
 */
import type { BrandSettings } from "@countersign/contract/brand";
import type { HomeReader, HomeTrx } from "../../store/database.ts";
import { isRecord } from "../validate.ts";
import { deleteNameRequest, findNameRequests, insertNameRequest, type NameOwner } from "./name-request-rows.ts";
import { otpHost } from "./settings.ts";

export const logoSetting = "styling.logoUrl";
/** The settings by which people recognize a brand. */
const nameSettings = ["externalName", "otpOrigin", logoSetting] as const;
type NameSetting = (typeof nameSettings)[number];

export type WaitingName = { path: string; current: string | null; requested: string; requestedAt: number };
export type RequestedName = { path: string; value: string };
/** The names in use. */
export type NamesInUse = Pick<BrandSettings, "externalName" | "otpOrigin"> & { styling: { logoUrl: string | null } };

/**
 * Separates the new names from a settings change. `settings` keep the current names, except an `otpOrigin` that is no
 * longer an allowed origin. Removing a name needs no approval.
 */
export function separateNames(
  current: NamesInUse,
  next: BrandSettings,
): { settings: BrandSettings; requested: RequestedName[] } {
  const requested = nameSettings.flatMap((path) => {
    const value = nameIn(next, path);
    return value === null || value === nameIn(current, path) ? [] : [{ path, value }];
  });
  const isRequested = (path: NameSetting) => requested.some((one) => one.path === path);
  const kept = { ...next, externalName: current.externalName };
  if (isRequested("otpOrigin")) kept.otpOrigin = otpHost({ ...next, otpOrigin: current.otpOrigin });
  if (isRequested(logoSetting)) kept.styling = { ...next.styling, logoUrl: current.styling.logoUrl };
  return { settings: kept, requested };
}

function nameIn(names: NamesInUse, path: NameSetting): string | null {
  return path === logoSetting ? names.styling.logoUrl : names[path];
}

/** The name at a path, or null. An account has only the path `name`. */
export function nameAt(names: Readonly<Record<string, unknown>>, path: string): string | null {
  const value = path.split(".").reduce<unknown>((from, key) => (isRecord(from) ? from[key] : undefined), names);
  return typeof value === "string" ? value : null;
}

/** A settings patch that sets one name. */
export function namePatch({ path, value }: RequestedName): Record<string, unknown> {
  return path === logoSetting ? { styling: { logoUrl: value } } : { [path]: value };
}

/** The names in a patch, whether they are changed or set back to the current name. */
export function namesIn(patch: Record<string, unknown>): string[] {
  const { styling } = patch;
  return nameSettings.filter((path) =>
    path === logoSetting ? isRecord(styling) && Object.hasOwn(styling, "logoUrl") : Object.hasOwn(patch, path),
  );
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
  return requests.map(({ path, value, requestedAt }) => ({
    path,
    current: nameAt(current, path),
    requested: value,
    requestedAt,
  }));
}
