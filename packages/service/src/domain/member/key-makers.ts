import type { KeyLine } from "../brand/api-key-rows.ts";
import type { AccountDeps } from "../deps.ts";
import { memberName } from "./member.ts";
import { listMembers } from "./member-rows.ts";

/** Keys with the names of the members who created them. A former member has none. */
export async function withMakers(
  deps: AccountDeps,
  customerUuid: string,
  keys: readonly KeyLine[],
): Promise<(Omit<KeyLine, "createdBy"> & { createdBy: string | null })[]> {
  const names = new Map((await listMembers(deps, deps.home, customerUuid)).map((one) => [one.uuid, memberName(one)]));
  return keys.map((key) => ({ ...key, createdBy: names.get(key.createdBy ?? "") ?? null }));
}
