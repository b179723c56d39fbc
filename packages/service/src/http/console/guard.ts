/** Authenticates the calls of the operator's console: a session of its own, a role, and the console's own pages. */

import type { Environment } from "@countersign/contract/brand";
import {
  beginOperatorPasskey,
  finishOperatorPasskey,
  operatorHeader,
  readConsoleMe,
  signOperatorOut,
} from "@countersign/contract/console";
import { namesPerson } from "@countersign/contract/console-personal";
import type { VendorPurpose } from "@countersign/contract/console-vendors";
import type { Endpoint } from "@countersign/contract/endpoint";
import { mayOperateAs, type OperatorRole } from "@countersign/contract/operator-role";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AccountDeps, HomeDeps } from "../../domain/deps.ts";
import { invalid, refuse } from "../../domain/failure.ts";
import type { Admins } from "../../domain/member/brands.ts";
import {
  endFormerConsoleSession,
  findOperatorSession,
  type OperatorEntered,
  type OperatorSession,
  operatorSessionMs,
} from "../../domain/operator/operator-sign-in.ts";
import { callOf } from "../changes.ts";
import { deviceName } from "../device-name.ts";
import { addressKey, type Limit, useLimit } from "../limits.ts";
import { type Guard, type Handler, mount } from "../mount.ts";
import { assertOwnPage, assertShows } from "../own-page.ts";
import { sessionCookie } from "../session-cookie.ts";
import type { VendorFigures } from "../vendor-figures.ts";

/** What the console's endpoints need. */
export type Console = {
  accounts: AccountDeps;
  admins: Admins;
  /** The environments that this process runs. */
  environments: Partial<Record<Environment, HomeDeps>>;
  /** Whether an invitation's link is enough to work with the console, as on the machine of a sandbox with demo brands. */
  linksSuffice: boolean;
  /** The configured adapters, and the newest calls of this process to them. */
  vendors: readonly { purpose: VendorPurpose; vendor: string | null }[];
  newest: VendorFigures;
  version: string;
  signInLimit: Limit;
  /** Looks at people by one operator. Each look is recorded, but nobody reads thousands of entries. */
  lookLimit: Limit;
  /** Logs a refused sign-in. The audit log has only successful ones. */
  onSignInRefused(note: { requestId: string; outcome: string }): void;
};

/**
 * Who is signed in. `acting` returns the dependencies with which a flow records this person, this call and the reason.
 */
export type Staff = OperatorSession & {
  needsPasskey: boolean;
  acting(reason?: string): AccountDeps;
  /** Counts a look at a person. Refuses too many. */
  countLook(): Promise<void>;
  /** Removes the session cookie. */
  leave(): void;
};

/** The audit log outlives the people whom a reason could name. */
const noPerson = "Do not write a phone number, an SSN or an email address. Use the number of the case.";

/** The calls of a session that must add a passkey first. */
const withoutPasskey: ReadonlySet<string> = new Set([
  readConsoleMe.id,
  beginOperatorPasskey.id,
  finishOperatorPasskey.id,
  signOperatorOut.id,
]);
/** Only a session that began with an invitation adds a passkey. So a stolen session cannot stay. */
const addingPasskey: ReadonlySet<string> = new Set([beginOperatorPasskey.id, finishOperatorPasskey.id]);

/** Mounts a call for operators. Its declaration contains the minimum role, so that the role cannot be forgotten here. */
export function mountStaff<E extends Endpoint>(
  app: FastifyInstance,
  console: Console,
  declared: E,
  handler: Handler<E, Staff>,
): void {
  const { operatorRole } = declared;
  if (declared.auth !== "operator" || operatorRole === undefined) throw new Error(`${declared.id} has no role`);
  const guard: Guard<Staff> = async (request, reply) => {
    const staff = await staffOf(console, { request, reply, call: callOf(declared), role: operatorRole });
    if (staff.needsPasskey && !withoutPasskey.has(declared.id)) throw addPasskeyFirst();
    if (!staff.isInvited && addingPasskey.has(declared.id))
      throw refuse(403, "To add a passkey, use a new link: `countersign operators invite` prints one.");
    return staff;
  };
  mount(app, declared, { guard, prefixes: [""] }, handler);
}

export function addPasskeyFirst(): Error {
  return refuse(403, "Add a passkey first: the link only lets you add one.");
}

/** Refuses a call without a session, from another site's page, or below the role. */
export async function staffOf(
  console: Console,
  { request, reply, call, role }: { request: FastifyRequest; reply: FastifyReply; call: string; role: OperatorRole },
): Promise<Staff> {
  const { accounts, linksSuffice, lookLimit } = console;
  assertOwnPage(request, ownPage(console));
  const cookie = cookieOf(console);
  const token = cookie.tokenOf(request);
  const session = token === null ? null : await findOperatorSession(accounts, token);
  if (session === null) throw refuse(401, "Sign in first.");
  const { operator, isInvited } = session;
  assertShows(request, operatorHeader, operator.uuid);
  if (!mayOperateAs(operator.role, role))
    throw refuse(403, `This requires the role ${role}; yours is ${operator.role}.`);
  return {
    ...session,
    needsPasskey: isInvited && !linksSuffice,
    acting: (reason) => {
      if (reason !== undefined && namesPerson(reason)) throw invalid([{ path: "body.reason", message: noPerson }]);
      const person = { ...operator, sessionUuid: session.uuid };
      return { ...accounts, operator: { requestId: request.id, call, person, reason } };
    },
    countLook: () => useLimit(lookLimit, operator.uuid, reply),
    leave: () => cookie.clear(reply),
  };
}

/** The environment, if this process runs it. Otherwise refuses with 404. */
export function served({ environments }: Console, environment: Environment): HomeDeps {
  const homeDeps = environments[environment];
  if (homeDeps === undefined) throw refuse(404, `This service does not run the ${environment} environment.`);
  return homeDeps;
}

/** A visitor who has not signed in yet. */
export type ConsoleStranger = { requestId: string; call: string; device: string; enter(token: string): Promise<void> };

/** Mounts a call for visitors who are signing in. It is limited by address, because each call is a guess. */
export function mountConsoleStranger<E extends Endpoint>(
  app: FastifyInstance,
  console: Console,
  declared: E,
  handler: Handler<E, ConsoleStranger>,
): void {
  const guard: Guard<ConsoleStranger> = async (request, reply) => {
    assertOwnPage(request, ownPage(console));
    await useLimit(console.signInLimit, addressKey(request.ip), reply);
    return {
      requestId: request.id,
      call: callOf(declared),
      device: deviceName(request.headers["user-agent"]) ?? "A browser",
      async enter(token) {
        const former = cookieOf(console).tokenOf(request);
        if (former !== null) await endFormerConsoleSession(console.accounts, former);
        cookieOf(console).set(reply, token);
      },
    };
  };
  mount(app, declared, { guard, prefixes: [""] }, handler);
}

/** Sets the cookie of a successful sign-in, and logs another one. */
export async function outcomeIn(console: Console, who: ConsoleStranger, entered: OperatorEntered) {
  if (entered.kind === "signedIn") await who.enter(entered.token);
  else console.onSignInRefused({ requestId: who.requestId, outcome: entered.kind });
  return { outcome: entered.kind };
}

function urlOf({ accounts }: Console): string {
  return accounts.addresses.operatorUrl ?? "";
}

function ownPage(console: Console) {
  return { name: "console", url: urlOf(console) };
}

/** A name of its own, because the cookies of all ports of a host are in one jar. */
function cookieOf(console: Console) {
  return sessionCookie({ name: "countersign-operator", url: urlOf(console), lifeMs: operatorSessionMs });
}
