import type { Environment } from "@countersign/contract/brand";
import type { AccountDeps } from "../deps.ts";
import { listKeyMakers } from "./account-audit-rows.ts";
import { nameOf } from "./member.ts";
import { listMembers } from "./member-rows.ts";

/** The names of the members who created a brand's keys, by the keys' last four digits. Former members have no name. */
export async function keyMakers(
  deps: AccountDeps,
  about: { customerUuid: string; brandUuid: string; environment: Environment },
): Promise<Map<string, string>> {
  const makers = await listKeyMakers(deps.home, about);
  const names = new Map((await listMembers(deps, deps.home, about.customerUuid)).map((one) => [one.uuid, nameOf(one)]));
  return new Map(
    [...makers].flatMap(([lastFour, uuid]) => {
      const name = names.get(uuid);
      return name === undefined ? [] : [[lastFour, name] as const];
    }),
  );
}
