/** A hosted page on which a state ID can be used, and the sandbox's test wallet, without a browser. */
import { client } from "@countersign/contract/client";
import { answerAsTestWallet } from "@countersign/contract/test-wallet";
import { decodeJwt } from "jose";
import { wallet } from "./hosted-share.ts";
import type { Sandbox } from "./sandbox.ts";
import { scriptCalls } from "./script-calls.ts";

type Begun = NonNullable<Parameters<Sandbox["api"]["beginOneClick"]>[0]>;
type Requests = NonNullable<Begun["body"]>["credentialRequests"];
/** A request for a name that an ID can answer. */
export const fullNameRequest = {
  type: "FullNameCredential" as const,
  children: [{ type: "FirstNameCredential" as const }, { type: "LastNameCredential" as const }],
};
export type GovernmentId = { reported?: boolean; required?: boolean; onConflict?: string };
export type How = { id?: string; mistake?: string; protocol?: string };

/** A page of a brand with these settings whose phone is proven, at its first step. */
export async function stateIdPage(
  it: Sandbox,
  phone: string,
  requests: Requests,
  { challenges = [], ...governmentId }: GovernmentId & { challenges?: object[] } = {},
) {
  const brand = await it.brand({ integrationType: "hosted", governmentId, challenges });
  const begun = (await brand.api.beginOneClick({ body: { phone, credentialRequests: requests } })).body;
  const page = new URL(begun.url ?? "").pathname.slice("/request/".length);
  const { sessionToken } = (await wallet(it).provePage({ params: { page }, body: { code: begun.code ?? "" } })).body;
  const session = wallet(it, sessionToken);
  const view = (await session.viewPage()).body;
  return {
    uuid: begun.uuid,
    session,
    sessionToken,
    view,
    /** What the page asks a wallet app for. */
    ask: async () => (await session.askStateId()).body,
    /** Uses a test person's ID. By default the one of the person whom sources know. */
    use: async (how: How = {}) => {
      const asked = (await session.askStateId()).body;
      const answer = await answered(it, asked.requests, how);
      return (await session.answerStateId({ body: { request: asked.request, ...answer } })).body;
    },
    read: async () => (await brand.api.readOneClick({ params: { uuid: begun.uuid } })).body,
  };
}

type Asked = Awaited<ReturnType<ReturnType<typeof wallet>["askStateId"]>>["body"]["requests"];

/** The test wallet's answer to one of the requests. */
export async function answered(
  it: Sandbox,
  requests: Asked,
  { id = "california", mistake, protocol = "openid4vp" }: How,
) {
  const request = requests.find((one) => one.protocol.startsWith(protocol));
  if (request === undefined) throw new Error(`no request for ${protocol}`);
  const testWallet = client({ answerAsTestWallet }, { send: scriptCalls(it.wallet) });
  const body = { id, request, ...(mistake === undefined ? {} : { mistake }) };
  return (await testWallet.answerAsTestWallet({ body })).body as Asked[number];
}

/** The elements of a request for OpenID4VP. */
export function elementsIn(requests: Asked): string[] {
  const data = requests.find(({ protocol }) => protocol.startsWith("openid4vp"))?.data ?? {};
  const parameters = JSON.stringify(typeof data.request === "string" ? decodeJwt(data.request) : data);
  return [...parameters.matchAll(/"path":\["org\.iso\.18013\.5\.1","([a-z_]+)"\]/g)]
    .map(([, name = ""]) => name)
    .sort();
}
