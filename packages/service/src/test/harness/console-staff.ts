/** People who are signed in to the operator's console, and call its API. */
import assert from "node:assert/strict";
import type { OperatorRole } from "@countersign/contract/operator-role";
import type { HTTPMethods } from "fastify";
import type { OperatorSignInMethod } from "../../domain/operator/operator-rows.ts";
import { enterConsoleByLink } from "../../domain/operator/operator-sign-in.ts";
import { inviteOperator } from "../../domain/operator/operators.ts";
import type { Answer } from "./dashboard-member.ts";
import type { Sandbox } from "./sandbox.ts";

let staff = 0;

/**
 * Invites a person, who uses the link, and returns calls as their browser makes them. `method`: as which sign-in the
 * session counts, because outside a demo a link only adds a passkey.
 */
export async function signedInStaff(
  it: Sandbox,
  role: OperatorRole = "operator",
  method: OperatorSignInMethod = "link",
) {
  staff += 1;
  const name = `Staff ${staff}`;
  const email = `staff-${staff}@operator.example`;
  const { uuid, link } = await inviteOperator(it.accounts, { email, name, role });
  const from = { requestId: it.deps.random.uuid(), call: "a test", device: "A test" };
  const entered = await enterConsoleByLink(it.accounts, link.split("#")[1] ?? "", from);
  assert.ok(entered.kind === "signedIn");
  await it.store.db.updateTable("operator_session").set({ method }).where("operator_uuid", "=", uuid).execute();
  return { uuid, name, email, token: entered.token, call: callsAsStaff(it, entered.token) };
}

type StaffCall = (
  method: string,
  url: string,
  payload?: unknown,
  headers?: Record<string, string | undefined>,
) => Promise<Answer>;

/** Calls as a browser on the console's own pages does, signed out if there is no token. */
export function callsAsStaff(it: Sandbox, token: string | null): StaffCall {
  return async (method, url, payload, headers = {}) => {
    const { operatorConsole } = it;
    assert.ok(operatorConsole !== null, "the console is off");
    const sent = {
      "sec-fetch-site": "same-origin",
      ...(token === null ? {} : { cookie: `countersign-operator=${token}` }),
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    };
    const response = await operatorConsole.inject({
      method: method as HTTPMethods & "GET",
      url,
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return { status: response.statusCode, body: isJson ? response.json() : {}, headers: response.headers };
  };
}
