import type { AccountView, accountHeader } from "@countersign/contract/account";
import type { Output } from "@countersign/contract/endpoint";
import { browserClient, pathOf } from "../../api/client.ts";
import { type Trouble, walletOptions } from "../api.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";

export type Erased = Output<Endpoints["deleteAccount"]>;
export type OfferedItem = Output<Endpoints["readOffer"]>;
export type Offered = Output<Endpoints["takeOut"]>;

// The contract's module is too large for a browser, so only its type is used.
const header: typeof accountHeader = "countersign-account";

/** The account that the page shows, and what to do if the service says that another person is signed in. */
let shown: { account: string; onOther(): Promise<void> } | null = null;

/** Every call names this account from now on, so that none acts on a person who signed in in another tab. */
export function nameAccount(account: string, onOther: () => Promise<void>): void {
  shown = { account, onOther };
}

/**
 * The calls of the person's own page. A cookie carries the session. `OTHER`: another person is signed in by now, or the
 * brand has another name than the page shows. The page is read again before the outcome is returned.
 */
export const accountApi = browserClient<Endpoints, Trouble>(endpoints, {
  ...walletOptions,
  credentials: "same-origin",
  headers: (): Record<string, string> => (shown === null ? {} : { [header]: shown.account }),
  troubleOf(status, answer) {
    const trouble = walletOptions.troubleOf(status, answer);
    return status === 409 && trouble.code === "CHANGED" ? { ...trouble, code: "OTHER" } : trouble;
  },
  async onTrouble({ code }) {
    if (code === "OTHER") await shown?.onOther();
  },
});
const linked = (path: string, { account }: AccountView) => `${path}?account=${encodeURIComponent(account)}`;
export const downloadPath = (view: AccountView) => linked(pathOf(endpoints.downloadAccount), view);
export const readablePath = (view: AccountView) => linked("/everything", view);
export const receiptPath = (uuid: string) => pathOf(endpoints.readReceipt, { uuid });
