/**
 * Authenticates dashboard calls. Each call must come from the dashboard's own pages, because the session cookie alone
 * does not show which page sent it.
 */
import type { Environment } from "@countersign/contract/brand";
import {
  beginMyPasskey,
  deleteMyPasskey,
  finishMyPasskey,
  listMyPasskeys,
  memberHeader,
  readMe,
  signOutMember,
} from "@countersign/contract/dashboard";
import type { TestPerson } from "@countersign/contract/dashboard-start";
import type { Endpoint } from "@countersign/contract/endpoint";
import { mayAs } from "@countersign/contract/member";
import type { FastifyInstance } from "fastify";
import type { AdminDeps } from "../../domain/brand/manage.ts";
import { assertName } from "../../domain/brand/name.ts";
import type { AccountDeps, Brand, HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { type Admins, ownBrand } from "../../domain/member/brands.ts";
import { endSession, type SignInMethod } from "../../domain/member/member-session-rows.ts";
import { findMemberSession, type MemberSession, sessionLifeMs } from "../../domain/member/session.ts";
import type { ReportingDeps } from "../../domain/reporting/deps.ts";
import { callOf, recordCall } from "../changes.ts";
import { deviceName } from "../device-name.ts";
import { addressKey, type Limit, useLimit } from "../limits.ts";
import { type Guard, type Handler, mount } from "../mount.ts";
import { assertOwnPage, assertShows } from "../own-page.ts";
import type { SandboxClock } from "../sandbox/clock.ts";
import { sessionCookie } from "../session-cookie.ts";

/** What the dashboard's endpoints need. */
export type Dashboard = {
  accounts: AccountDeps;
  /** The databases that reports are read from, and how far the first one is behind. */
  reports: { cells(): ReportingDeps["cells"]; lagMs(): Promise<number | null> };
  admins: Admins;
  /** The environments that this process runs. Settings of the other environment can still be changed. */
  environments: Partial<Record<Environment, HomeDeps>>;
  guides: Partial<Record<Environment, Guide>>;
  /** The sandbox's clock; null if no sandbox runs. */
  sandbox: SandboxClock | null;
  signInLimit: Limit;
  /** Where emails are kept if no mail server is connected; null if they are sent. Only demo accounts have an outbox. */
  keptMail: { outboxUrl(): string | null } | null;
  /**
   * Logs a refused sign-in. The account's audit log has only successful ones, because the account of a refused one may
   * be unknown.
   */
  onSignInRefused(note: { requestId: string; method: SignInMethod; outcome: string }): void;
};
/** Data for testing an environment: fixed test people, and the keys of demo brands, by brand. */
type Guide = { testPeople: readonly TestPerson[]; demoKeys: ReadonlyMap<string, string> };
/** A signed-in member, with the session. */
export type Visitor = MemberSession & {
  requestId: string;
  /** The endpoint, for the audit log. */
  call: string;
  /** Removes the session cookie. */
  leave(): void;
};
/** A visitor who has not signed in yet. */
export type Stranger = { requestId: string; device: string; enter(token: string): Promise<void> };

/** The calls that a session without the required passkey may still make. */
const withoutPasskey: ReadonlySet<string> = new Set([
  readMe.id,
  signOutMember.id,
  listMyPasskeys.id,
  beginMyPasskey.id,
  finishMyPasskey.id,
]);

/** Calls with which someone who stole a session could stay, or lock the member out. */
const needFreshProof: ReadonlySet<string> = new Set([beginMyPasskey.id, deleteMyPasskey.id]);

const addingPasskey: ReadonlySet<string> = new Set([beginMyPasskey.id, finishMyPasskey.id]);

/** Mounts a call for members. Its declaration contains the minimum role, so that the role cannot be forgotten here. */
export function mountMember<E extends Endpoint>(
  app: FastifyInstance,
  dashboard: Dashboard,
  declared: E,
  handler: Handler<E, Visitor>,
): void {
  const { role } = declared;
  if (declared.auth !== "member" || role === undefined) throw new Error(`${declared.id} has no role`);
  const guard: Guard<Visitor> = async (request, reply) => {
    assertOwnPage(request, ownPage(dashboard));
    const token = cookieOf(dashboard).tokenOf(request);
    const session = token === null ? null : await findMemberSession(dashboard.accounts, token);
    if (session === null) throw refuse(401, "Sign in first.");
    assertShows(request, memberHeader, session.member.uuid);
    if (session.needsPasskey && !withoutPasskey.has(declared.id))
      throw refuse(403, "Your account requires a passkey. Add one under Account security.");
    if (!session.mayAddPasskey && addingPasskey.has(declared.id)) throw refuse(403, "Sign in with your passkey first.");
    if (!session.isFresh && needFreshProof.has(declared.id))
      throw refuse(403, "Sign out and in again first: only a sign-in of the last ten minutes may change passkeys.");
    if (!mayAs(session.member.role, role))
      throw refuse(403, `This requires the role ${role}; yours is ${session.member.role}.`);
    const leave = () => cookieOf(dashboard).clear(reply);
    return { ...session, requestId: request.id, call: callOf(declared), leave };
  };
  const after = (who: Visitor) => recordCall(dashboard.accounts, who, declared);
  mount(app, declared, { guard, prefixes: [""], after }, handler);
}

/**
 * Mounts a call for visitors who are signing in. It is limited by address, because each call is a guess or sends an
 * email.
 */
export function mountStranger<E extends Endpoint>(
  app: FastifyInstance,
  dashboard: Dashboard,
  declared: E,
  handler: Handler<E, Stranger>,
): void {
  const guard: Guard<Stranger> = async (request, reply) => {
    assertOwnPage(request, ownPage(dashboard));
    await useLimit(dashboard.signInLimit, addressKey(request.ip), reply);
    return {
      requestId: request.id,
      device: deviceName(request.headers["user-agent"]) ?? "A browser",
      async enter(token) {
        // End the session that this browser had before.
        const former = cookieOf(dashboard).tokenOf(request);
        const { accounts } = dashboard;
        const session = former === null ? null : await findMemberSession(accounts, former);
        if (session !== null) {
          const { member, sessionUuid } = session;
          await endSession(accounts.home, { memberUuid: member.uuid, sessionUuid });
        }
        cookieOf(dashboard).set(reply, token);
      },
    };
  };
  mount(app, declared, { guard, prefixes: [""] }, handler);
}

/** A valid name for texts and emails, without surrounding spaces. */
export function nameIn(body: { name: string }): string {
  const name = body.name.trim();
  assertName("body.name", name);
  return name;
}

/**
 * The brand in the given environment, if the member's account owns it. Throws the same error for another account's brand
 * as for an unknown one.
 */
export async function brandOf(
  dashboard: Dashboard,
  who: Visitor,
  { brand: uuid, environment }: { brand: string; environment: Environment },
): Promise<{ brand: Brand; admin: AdminDeps }> {
  const admin = dashboard.admins[environment];
  return { brand: await ownBrand(admin, who, uuid), admin };
}

function ownPage({ accounts }: Dashboard) {
  return { name: "dashboard", url: accounts.addresses.dashboardUrl };
}

function cookieOf({ accounts }: Dashboard) {
  return sessionCookie({ name: "countersign", url: accounts.addresses.dashboardUrl, lifeMs: sessionLifeMs });
}
