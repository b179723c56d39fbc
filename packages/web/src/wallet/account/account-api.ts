import type { AccountDevice, AccountView, SignIn, TimelineEntry } from "@countersign/contract/account";
import type { ConsentShown } from "@countersign/contract/consent";
import { call } from "../api.ts";

export type TimelinePage = { entries: TimelineEntry[]; next?: string };
type Devices = { devices: AccountDevice[] };
export type Erased = { outcome: "deleted" | "reset"; receipt: string };

const get = <Value>(path: string) => call<Value>("GET", path, { cookie: true });
const post = <Value>(path: string, body?: unknown) => call<Value>("POST", path, { cookie: true, body });

/** What the person's own page asks the service. */
export const accountApi = {
  begin: (phone: string, consent: ConsentShown) => post<SignIn>("/api/sign-in", { phone, consent }),
  resend: (signIn: string) => post<SignIn>("/api/sign-in/resend", { signIn }),
  finish: (signIn: string, code: string) => post<AccountView>("/api/sign-in/code", { signIn, code }),
  view: () => get<AccountView>("/api/account"),
  timeline: (about: { before?: string; brand?: string }) =>
    get<TimelinePage>(`/api/account/timeline?${new URLSearchParams(about)}`),
  prove: (inputs: { birthDate?: string; ssn4?: string }) => post<AccountView>("/api/account/proof", inputs),
  stop: (brand: string, consent: ConsentShown) =>
    post<AccountView>(`/api/account/brands/${encodeURIComponent(brand)}/stop`, { consent }),
  correct: (share: string, body: { key: string; value: string | Record<string, string> }) =>
    post<AccountView>(`/api/account/shares/${encodeURIComponent(share)}/values`, body),
  erase: (consent: ConsentShown) => post<Erased>("/api/account/deletion", { consent }),
  takeOver: (consent: ConsentShown) => post<AccountView>("/api/account/new-holder", { consent }),
  devices: () => get<Devices>("/api/account/devices"),
  endDevice: (uuid: string) =>
    call<Devices>("DELETE", `/api/account/devices/${encodeURIComponent(uuid)}`, { cookie: true }),
  endOthers: () => call<Devices>("DELETE", "/api/account/devices", { cookie: true }),
  signOut: () => post<{ signedIn: boolean }>("/api/account/sign-out"),
};

export const downloadPath = "/api/account/download";
export const readablePath = "/everything";
export const receiptPath = (uuid: string) => `/api/account/receipts/${encodeURIComponent(uuid)}`;
