/** The forms of pages that work without a script, as a browser sends them. */
import type { Sandbox } from "./sandbox.ts";

/** The fields of a page's form that the person does not see. */
export function hiddenFieldsIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, unescaped(value)]));
}

const unescaped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

type Wallet = Pick<Sandbox, "wallet">;

/** What a button on the page of a texted link sends. */
export async function linkForm({ wallet }: Wallet, path: string, choice = "continue"): Promise<Record<string, string>> {
  return { ...hiddenFieldsIn((await wallet.inject({ method: "GET", url: path })).body), choice };
}

/** Sends the form of a texted link's page, by default the one that the page has now. */
export async function pressLink(it: Wallet, path: string, form?: Record<string, string>) {
  const payload = new URLSearchParams(form ?? (await linkForm(it, path))).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" };
  return await it.wallet.inject({ method: "POST", url: path, headers, payload });
}
