/** The account page as a browser uses it: sign-in by text, then a session cookie. */
import assert from "node:assert/strict";
import * as account from "@countersign/contract/account";
import { client } from "@countersign/contract/client";
import * as takeout from "@countersign/contract/takeout";
import type { FastifyInstance } from "fastify";
import { freshPhone } from "./below-http.ts";
import { agreed } from "./consent-shown.ts";
import type { Sandbox } from "./sandbox.ts";

const endpoints = {
  beginSignIn: account.beginSignIn,
  resendSignIn: account.resendSignIn,
  finishSignIn: account.finishSignIn,
  readAccount: account.readAccount,
  readTimeline: account.readTimeline,
  proveAccount: account.proveAccount,
  hideValues: account.hideValues,
  stopSharing: account.stopSharing,
  correctValue: account.correctValue,
  readReceipt: account.readReceipt,
  downloadAccount: account.downloadAccount,
  deleteAccount: account.deleteAccount,
  takeOverNumber: account.takeOverNumber,
  listDevices: account.listDevices,
  signOutDevice: account.signOutDevice,
  signOutOthers: account.signOutOthers,
  signOut: account.signOut,
  listTakeouts: takeout.listTakeouts,
  takeOut: takeout.takeOut,
  readOffer: takeout.readOffer,
  answerWallet: takeout.answerWallet,
  withdrawTakeout: takeout.withdrawTakeout,
};

export const birthDate = "1989-08-01";
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

/** A browser with its own cookie jar that calls one process's wallet. */
export function browserOf(wallet: FastifyInstance, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") {
  let cookie = "";
  let shown: string | undefined;
  const setCookies: string[] = [];
  const cookies = () => ({ "sec-fetch-site": "same-origin", ...(cookie === "" ? {} : { cookie }), ...headers });
  const api = client(endpoints, {
    send: async ({ method, path, query, body, headers: more }) => {
      const isChange = method !== "GET" && path.startsWith("/api/account");
      if (isChange) shown ??= await shownAccount(wallet, cookies());
      const response = await wallet.inject({
        method,
        url: path,
        query,
        remoteAddress,
        headers: {
          "user-agent": iphone,
          ...cookies(),
          ...(isChange && shown !== undefined ? { [account.accountHeader]: shown } : {}),
          ...more,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const set = response.headers["set-cookie"];
      if (typeof set === "string") {
        setCookies.push(set);
        cookie = set.split(";")[0] ?? "";
      }
      const answer = response.json();
      if (typeof answer.account === "string") shown = answer.account;
      return { status: response.statusCode, headers: {}, body: answer };
    },
  });
  return { ...api, setCookies, cookie: () => cookie };
}
/** What a page of this session names in its changing calls. Undefined if no one is signed in. */
async function shownAccount(wallet: FastifyInstance, headers: Record<string, string>): Promise<string | undefined> {
  return (await wallet.inject({ url: "/api/account", headers })).json().account;
}

/** The headers of a page that shows the session's person. */
export async function ownHeaders(wallet: FastifyInstance, cookie: string): Promise<Record<string, string>> {
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  return { ...headers, [account.accountHeader]: (await shownAccount(wallet, headers)) ?? "" };
}

export type Browser = ReturnType<typeof browserOf>;

/** Creates a fresh phone that has a verification. Sign-in texts are sent only to phones that are on record. */
export async function phoneOnRecord(it: Sandbox): Promise<string> {
  const phone = freshPhone();
  await it.api.createVerification({ body: { channel: "sms", phone } });
  return phone;
}

/** Returns the newest sign-in code that was texted to a phone. It reads the message list as a customer does. */
export async function textedCode(it: Sandbox, phone: string, api = it.api): Promise<string | undefined> {
  const { data } = (await api.listMessages({ query: { to: phone } })).body;
  const text = data.find(({ body }) => body.includes("sign in to Countersign"));
  return text === undefined ? undefined : /^\d{6}/.exec(text.body)?.[0];
}

/** Signs in with the code from the text. */
export async function signIn(it: Sandbox, phone: string, wallet: FastifyInstance = it.wallet): Promise<Browser> {
  const browser = browserOf(wallet);
  const { signIn: uuid } = (await browser.beginSignIn({ body: { phone, consent: agreed("signIn") } })).body;
  await it.runJobs();
  const code = await textedCode(it, phone);
  assert.ok(code, "no text was sent");
  await browser.finishSignIn({ body: { signIn: uuid, code } });
  return browser;
}

/** Reads the whole timeline, oldest entry first. */
export async function wholeTimeline(browser: Browser): Promise<account.TimelineEntry[]> {
  const all: account.TimelineEntry[] = [];
  let before: string | undefined;
  for (let page = 0; page < 100; page += 1) {
    const { entries, next } = (await browser.readTimeline({ query: before === undefined ? {} : { before } })).body;
    all.push(...entries);
    if (next === undefined) return all.reverse();
    before = next;
  }
  return assert.fail("the timeline has too many pages");
}
