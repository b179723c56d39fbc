/**
 * The session of a page. It stays in the tab's memory and storage. After a texted link, the URL contains it until the
 * page removes it. Tabs of one browser that show the same page pass it to each other.
 */
import { tabStore } from "./tab-store.ts";

export type PageAddress = {
  /** The page's name in its URL. Null if a session alone opened the page. */
  page: string | null;
  /** The code in the URL, and the URL to which a v1 brand wants the person to return. */
  code: string | null;
  redirectUrl: string | null;
  /** The code with which a wallet app returned the person. */
  walletCode: string | null;
};

const channel = openBroadcast();
const keyOf = (page: string | null) => `session:${page ?? ""}`;
const leftKey = (page: string | null) => `left:${page ?? ""}`;

/** Null in a frame whose storage the browser blocks. */
function openBroadcast(): BroadcastChannel | null {
  try {
    return new BroadcastChannel("countersign-page");
  } catch {
    return null;
  }
}

/** Reads the URL and removes codes and sessions from it. */
export function takeAddress(): PageAddress {
  const { pathname, search, hash } = window.location;
  const page = /^\/request\/([0-9A-Za-z]+)/.exec(pathname)?.[1] ?? null;
  const query = new URLSearchParams(search);
  if (page === null && /^#[0-9A-Za-z]{20,}$/.test(hash) && isOpenedHere(hash)) keepSession(page, hash.slice(1));
  const walletCode = /^#wallet=([0-9A-Za-z]+)$/.exec(hash)?.[1] ?? null;
  if (search !== "" || hash !== "") window.history.replaceState(null, "", pathname);
  return { page, code: query.get("code"), redirectUrl: query.get("redirectUrl"), walletCode };
}

/**
 * Whether a texted link opened this session in this browser. Otherwise another person may have sent the URL, and would
 * get what is typed here.
 */
function isOpenedHere(hash: string): boolean {
  const name = window.location.protocol === "https:" ? "__Host-countersign-opened" : "countersign-opened";
  return document.cookie.split("; ").includes(`${name}=${hash.slice(-8)}`);
}

export function readSession(page: string | null): string | null {
  return tabStore.get(keyOf(page));
}

export function keepSession(page: string | null, session: string): void {
  tabStore.set(keyOf(page), session);
  if (page !== null) channel?.postMessage({ page, session });
}

export function dropSession(page: string | null): void {
  tabStore.remove(keyOf(page));
}

/** Tells other tabs of this page that the person has decided. */
export function announce(page: string | null): void {
  if (page !== null) channel?.postMessage({ page, changed: true });
}

/** Whether this tab has already redirected the person. A person who comes back is not redirected again. */
export function hasLeft(page: string | null): boolean {
  return tabStore.get(leftKey(page)) !== null;
}

export function markLeft(page: string | null): void {
  tabStore.set(leftKey(page), "1");
}

/** Shares a page's session between tabs. Calls back if the session or the page changed. */
export function follow(page: string, onNews: () => void): () => void {
  const listener = ({ data }: MessageEvent<Record<string, unknown>>) => {
    if (data.page !== page) return;
    const mine = readSession(page);
    if (data.asks === true && mine !== null) channel?.postMessage({ page, session: mine });
    if (typeof data.session === "string" && data.session !== mine) {
      tabStore.set(keyOf(page), data.session);
      onNews();
    }
    if (data.changed === true) {
      // The tab with the decision redirects the person. This tab only shows the decision.
      markLeft(page);
      onNews();
    }
  };
  channel?.addEventListener("message", listener);
  if (readSession(page) === null) channel?.postMessage({ page, asks: true });
  return () => channel?.removeEventListener("message", listener);
}
