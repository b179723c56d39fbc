/**
 * The session of a page, in this tab and nowhere else: not in an address, not in a cookie, gone with the tab. Tabs of
 * one browser that show the same page tell each other.
 */
import { tabStore } from "./tab-store.ts";

export type PageAddress = {
  /** The page's name in its address; null where a session alone opened it. */
  page: string | null;
  /** A code that stood on the address, and where a v1 brand wants its person back. */
  code: string | null;
  redirectUrl: string | null;
};

const channel = openBroadcast();
const keyOf = (page: string | null) => `session:${page ?? ""}`;
const leftKey = (page: string | null) => `left:${page ?? ""}`;

/** None in a frame whose storage the browser keeps shut. */
function openBroadcast(): BroadcastChannel | null {
  try {
    return new BroadcastChannel("countersign-page");
  } catch {
    return null;
  }
}

/** Reads the address and takes off it what should not stay: codes and sessions. */
export function takeAddress(): PageAddress {
  const { pathname, search, hash } = window.location;
  const page = /^\/request\/([0-9A-Za-z]+)/.exec(pathname)?.[1] ?? null;
  const query = new URLSearchParams(search);
  if (page === null && /^#[0-9A-Za-z]{20,}$/.test(hash)) keepSession(page, hash.slice(1));
  if (search !== "" || hash !== "") window.history.replaceState(null, "", pathname);
  return { page, code: query.get("code"), redirectUrl: query.get("redirectUrl") };
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

/** Tells the other tabs of this page that something was decided. */
export function announce(page: string | null): void {
  if (page !== null) channel?.postMessage({ page, changed: true });
}

/** Whether this tab sent the person on already: coming back does not send them on again. */
export function hasLeft(page: string | null): boolean {
  return tabStore.get(leftKey(page)) !== null;
}

export function markLeft(page: string | null): void {
  tabStore.set(leftKey(page), "1");
}

/** Asks other tabs for the session of a page, answers theirs, and calls back when there is news. */
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
      // The tab that decided leads back; this one only says what was decided.
      markLeft(page);
      onNews();
    }
  };
  channel?.addEventListener("message", listener);
  if (readSession(page) === null) channel?.postMessage({ page, asks: true });
  return () => channel?.removeEventListener("message", listener);
}
