/** The redirect to the operator's OpenID provider and back. The tab stores which sign-in it began. */
import { api, type Trouble } from "../api.ts";

/** The key under which the tab stores the sign-in. */
export const begunKey = "openid";

/** Whether the service has a provider. */
export function hasOpenId(): boolean {
  return document.querySelector('meta[name="openid"]') !== null;
}

/** Opens the provider's page. Returns the trouble if that fails, otherwise null. */
export async function goToOpenId(): Promise<Trouble | null> {
  const begun = await api.beginOpenIdSignIn({ body: {} });
  if (begun.kind === "trouble") return begun.trouble;
  window.sessionStorage.setItem(begunKey, begun.value.uuid);
  window.location.assign(begun.value.url);
  return null;
}

/** The query from the provider. Null if this is not the return page. */
export function openIdReturned(): string | null {
  const { pathname, search } = window.location;
  return pathname === "/sign-in/openid" && search.length > 1 ? search.slice(1) : null;
}

/** The sign-in that this tab began. It can be read only once. */
export function takeBegun(): string | null {
  const uuid = window.sessionStorage.getItem(begunKey);
  window.sessionStorage.removeItem(begunKey);
  return uuid;
}
