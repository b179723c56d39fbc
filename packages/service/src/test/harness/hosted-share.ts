/** Takes a hosted 1-Click from its page to the decision, without a browser. */
import { client } from "@countersign/contract/client";
import {
  amendPage,
  answerStateId,
  askStateId,
  beginPresentation,
  decidePage,
  provePage,
  takePresentation,
  viewPage,
} from "@countersign/contract/wallet";
import { agreed } from "./consent-shown.ts";
import type { Sandbox } from "./sandbox.ts";
import { scriptCalls } from "./script-calls.ts";

type Begun = NonNullable<Parameters<Sandbox["api"]["beginOneClick"]>[0]>;
type Requests = NonNullable<Begun["body"]>["credentialRequests"];
type Edits = NonNullable<NonNullable<Parameters<ReturnType<typeof wallet>["decidePage"]>[0]>["body"]>["edits"];
type How = { share?: boolean; credentialRequests?: Requests; edits?: Edits };

/** A hosted page whose phone is proven, at its first step. */
export async function hostedPage(
  it: Sandbox,
  phone: string,
  credentialRequests: Requests,
  api: Sandbox["api"] = it.as("sk_sandbox_demo_hosted"),
) {
  const { uuid, url, code } = (await api.beginOneClick({ body: { phone, credentialRequests } })).body;
  const page = new URL(url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: code ?? "" } })).body;
  const session = wallet(it, sessionToken);
  const view = (await session.viewPage()).body;
  return { uuid, page, session, view, read: () => api.readOneClick({ params: { uuid } }) };
}

export async function hostedShare(it: Sandbox, phone: string, how: How = {}) {
  const api = it.as("sk_sandbox_demo_hosted");
  const { share = true, credentialRequests, edits = {} } = how;
  const begun = (
    await api.beginOneClick({ body: { phone, ...(credentialRequests === undefined ? {} : { credentialRequests }) } })
  ).body;
  const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: begun.code ?? "" } })).body;
  const person = wallet(it, sessionToken);
  await person.viewPage();
  await person.decidePage({ body: { share, edits, consent: agreed(share ? "share" : "decline") } });
  const { uuid } = begun;
  return { uuid, read: () => api.readOneClick({ params: { uuid } }) };
}

/** The wallet's API as the page's script calls it. */
export function wallet(it: Sandbox, session?: string) {
  return client(
    { provePage, viewPage, amendPage, decidePage, beginPresentation, takePresentation, askStateId, answerStateId },
    { send: scriptCalls(it.wallet, session) },
  );
}
