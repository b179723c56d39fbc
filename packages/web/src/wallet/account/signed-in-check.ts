/** Keeps the own page to the person whom it shows: another tab, the service or the time may end or change a sign-in. */
import type { AccountView } from "@countersign/contract/account";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { deviceNow } from "../../ui/now.ts";
import { accountApi, nameAccount } from "./account-api.ts";
import { useAccountWords } from "./account-frame.tsx";
import { home, marginMs, type Screen, type State } from "./account-state.ts";
import { onTold, type Tabs } from "./tabs.ts";

/** Checks who is signed in when another tab, the service or the time says that it may have changed. */
export function useSignedInCheck(current: { readonly current: State }, then: Omit<Refreshed, "showOther">): void {
  const { say } = useAccountWords();
  const showOther = (view: AccountView) => {
    window.history.replaceState(home, "");
    then.enter(view, home, say.otherPerson);
  };
  const check = () => refresh(current, { ...then, showOther });
  useRefresh(current.current, check);
  useTabs(current.current, check);
}

type Refreshed = {
  enter(view: AccountView, screen: Screen, said: string): void;
  /** Shows another person, who signed in in another tab. */
  showOther(view: AccountView): void;
  over(): void;
  fail(code: string): void;
};

/** Reads the data again. The service hides full values once their proof has ended. */
async function refresh(
  current: { readonly current: State },
  { enter, showOther, over, fail }: Refreshed,
): Promise<void> {
  const before = current.current;
  if (before.kind !== "in") return;
  const outcome = await accountApi.readSignIn();
  const now = current.current;
  // A call that was answered meanwhile has newer data.
  if (now.kind !== "in" || now.view !== before.view) return;
  if (outcome.kind === "ok") {
    const { account } = outcome.value;
    if (account === undefined) return over();
    return account.account === now.view.account ? enter(account, now.screen, now.said) : showOther(account);
  }
  if (now.provenUntil !== null && deviceNow() >= now.provenUntil) fail(outcome.trouble.code);
}

/** Refreshes full values once their proof has ended, and whenever the tab is shown again: others may look at it now. */
function useRefresh(state: State, refresh: () => Promise<void>): void {
  const until = state.kind === "in" ? state.provenUntil : null;
  useEffect(() => {
    if (until === null) return;
    const timer = window.setTimeout(() => void refresh(), until - deviceNow() + 2 * marginMs);
    const onVisible = () => {
      if (document.visibilityState === "visible") void refresh();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [until]);
}

/**
 * Names the account that this tab shows in its calls, and tells the browser's other tabs when it or its
 * proof changes. They share its cookie, so the person whom they show may not be signed in or proven anymore.
 */
function useTabs(state: State, check: () => Promise<void>): void {
  const account = state.kind === "in" ? state.view.account : null;
  const latest = useRef(check);
  latest.current = check;
  const tabs = useRef<Tabs | null>(null);
  const now = state.kind === "in" && state.provenUntil !== null ? `${account} proven` : account;
  const told = useRef<string | null>(null);
  // Before the person can press anything on the new screen.
  useLayoutEffect(() => {
    if (account !== null) nameAccount(account, () => latest.current());
  }, [account]);
  useEffect(() => {
    tabs.current = onTold(() => void latest.current());
    return () => tabs.current?.close();
  }, []);
  useEffect(() => {
    if (told.current === now) return;
    told.current = now;
    tabs.current?.tell();
  }, [now]);
}
