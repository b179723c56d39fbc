/** The addresses under which credentials are issued. */
import type { HomeDeps } from "../deps.ts";

export const takeoutPath = "/credentials";

type Placed = Pick<HomeDeps, "addresses">;

export function issuerUrl({ addresses }: Placed): string {
  return `${addresses.walletUrl}${takeoutPath}`;
}

/** The type of a credential, which is also the address of its description. */
export function typeOf(deps: Placed, kind: string): string {
  return `${issuerUrl(deps)}/types/${kind}`;
}

export function statusListOf(deps: Placed, uuid: string): string {
  return `${issuerUrl(deps)}/status/${uuid}`;
}
