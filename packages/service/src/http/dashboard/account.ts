import {
  beginMyPasskey,
  deleteMember,
  deleteMyPasskey,
  endMySession,
  finishMyPasskey,
  inviteMember,
  inviteMemberAgain,
  listAudit,
  listMyPasskeys,
  listMySessions,
  listTeam,
  patchCustomer,
  patchMe,
  patchMember,
  readMe,
  signOutMember,
} from "@countersign/contract/dashboard";
import type { FastifyInstance } from "fastify";
import { brandsOf } from "../../domain/brand/brand-rows.ts";
import { refuse } from "../../domain/failure.ts";
import { listChanges } from "../../domain/member/audit.ts";
import { listMembers } from "../../domain/member/member-rows.ts";
import { beginPasskey, deletePasskey, finishPasskey } from "../../domain/member/passkey.ts";
import { listPasskeys } from "../../domain/member/passkey-rows.ts";
import { listSessions, signOut } from "../../domain/member/session.ts";
import {
  changeRole,
  invite,
  inviteAgain,
  readCustomer,
  removeMember,
  renameCustomer,
  renameSelf,
} from "../../domain/member/team.ts";
import { type Desk, mountMember, nameIn } from "./guard.ts";

/** Account endpoints: the members' own profiles, the team, and the audit log. */
export function routesAccount(app: FastifyInstance, desk: Desk): void {
  meRoutes(app, desk);
  passkeyRoutes(app, desk);
  teamRoutes(app, desk);
  const { accounts } = desk;
  mountMember(app, desk, listAudit, async ({ member }, { query }) => {
    const { customerUuid } = member;
    if (query.brand !== undefined && !(await brandsOf(accounts.db, customerUuid)).includes(query.brand.toLowerCase()))
      throw refuse(404, "There is no such brand here.");
    const { lines, hasOlder } = await listChanges(accounts, {
      customerUuid,
      ...(query.brand === undefined ? {} : { brandUuid: query.brand }),
      ...(query.before === undefined ? {} : { before: Number(query.before) }),
    });
    return { data: lines, hasOlder };
  });
}

function meRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  mountMember(app, desk, readMe, async ({ member }) => ({
    member,
    customer: await readCustomer(accounts, member.customerUuid),
    environments: Object.values(desk.environments).map(({ environment, addresses }) => ({ environment, ...addresses })),
    hasPasskey: (await listPasskeys(accounts.db, member.uuid)).length > 0,
  }));
  mountMember(app, desk, patchMe, async (who, { body }) => {
    await renameSelf(accounts, who, maybeNameIn(body));
    return {};
  });
  mountMember(app, desk, signOutMember, async (who) => {
    await signOut(accounts, who, who.uuid);
    who.leave();
    return {};
  });
  mountMember(app, desk, listMySessions, async ({ uuid, member }) => {
    const lines = await listSessions(accounts, member.uuid);
    return { data: lines.map((line) => ({ ...line, isThisOne: line.uuid === uuid })) };
  });
  mountMember(app, desk, endMySession, async (who, { params }) => {
    if (!(await signOut(accounts, who, params.uuid))) throw refuse(404, "There is no such session.");
    return {};
  });
}

function passkeyRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  mountMember(app, desk, listMyPasskeys, async ({ member }) => ({
    data: await listPasskeys(accounts.db, member.uuid),
  }));
  mountMember(app, desk, beginMyPasskey, async ({ member }) => beginPasskey(accounts, member));
  mountMember(app, desk, finishMyPasskey, async (who, { params, body }) => {
    await finishPasskey(accounts, who, { ...body, uuid: params.uuid });
    return {};
  });
  mountMember(app, desk, deleteMyPasskey, async (who, { params }) => {
    await deletePasskey(accounts, who, params.uuid);
    return {};
  });
}

function teamRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  mountMember(app, desk, listTeam, async ({ member }) => ({
    data: await listMembers(accounts, accounts.db, member.customerUuid),
  }));
  mountMember(app, desk, inviteMember, async (who, { body }) => ({
    uuid: await invite(accounts, who, { ...body, name: maybeNameIn(body) }),
  }));
  mountMember(app, desk, inviteMemberAgain, async (who, { params }) => {
    await inviteAgain(accounts, who, params.uuid);
    return {};
  });
  mountMember(app, desk, patchMember, async (who, { params, body }) => {
    await changeRole(accounts, who, { memberUuid: params.uuid, role: body.role });
    return {};
  });
  mountMember(app, desk, deleteMember, async (who, { params }) => {
    await removeMember(accounts, who, params.uuid);
    return {};
  });
  mountMember(app, desk, patchCustomer, async (who, { body }) => {
    await renameCustomer(accounts, who, nameIn(body));
    return {};
  });
}

/** A member's name may be empty. */
function maybeNameIn({ name }: { name: string }): string {
  return name.trim() === "" ? "" : nameIn({ name });
}
