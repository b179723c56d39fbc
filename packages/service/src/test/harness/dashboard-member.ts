/** Signed-in members of customer accounts, who call the dashboard's API. */
import type { MemberRole } from "@countersign/contract/member";
import type { HTTPMethods } from "fastify";
import { addMember } from "../../domain/member/member.ts";
import { openSession } from "../../domain/member/session.ts";
import { firstDemoCustomer } from "../../providers/sandbox/demo.ts";
import type { Sandbox } from "./sandbox.ts";

export type Answer = { status: number; body: Record<string, unknown>; headers: Record<string, unknown> };
type MemberOptions = { customerUuid?: string; role?: MemberRole; email?: string };
type Call = (
  method: string,
  url: string,
  payload?: unknown,
  headers?: Record<string, string | undefined>,
) => Promise<Answer>;

let members = 0;

/** Creates a member with a session, and returns calls as their browser makes them. */
export async function signedIn(
  it: Sandbox,
  { customerUuid = firstDemoCustomer.uuid, role = "owner", email }: MemberOptions = {},
) {
  members += 1;
  const address = email ?? `member-${members}@example.com`;
  const { uuid } = await addMember(it.accounts, { customerUuid, role, email: address, name: `Member ${members}` });
  const token = await it.store.home.inTransaction((trx) =>
    openSession(it.accounts, trx, { memberUuid: uuid, method: "code", device: "A test" }),
  );
  return { uuid, email: address, token, call: callsAs(it, token) };
}

/** Sends the token under both cookie names: the name for http and the name for https. */
export const cookieOf = (token: string) => `countersign=${token}; __Host-countersign=${token}`;

/**
 * Calls as a browser on the dashboard's own pages does, signed out if there is no token. Sign-ins are rate limited by
 * address.
 */
export function callsAs(it: Sandbox, token: string | null, addressOf = () => "127.0.0.1"): Call {
  return async (method, url, payload, headers = {}) => {
    const isPicture = Buffer.isBuffer(payload);
    const sent = {
      "sec-fetch-site": "same-origin",
      ...(token === null ? {} : { cookie: cookieOf(token) }),
      ...(payload === undefined ? {} : { "content-type": isPicture ? "image/png" : "application/json" }),
      ...headers,
    };
    const response = await it.dashboard.inject({
      method: method as HTTPMethods & "GET",
      url,
      remoteAddress: addressOf(),
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
      ...(payload === undefined ? {} : { payload: isPicture ? payload : JSON.stringify(payload) }),
    });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return { status: response.statusCode, body: isJson ? response.json() : {}, headers: response.headers };
  };
}
