import { exportAudit, listAudit } from "@countersign/contract/audit";
import * as contract from "@countersign/contract/dashboard";
import type { FastifyInstance } from "fastify";
import { brandUuidsOf } from "../../domain/brand/brand-rows.ts";
import { refuse } from "../../domain/failure.ts";
import { exportAuditLog, listAuditLog } from "../../domain/member/audit-log.ts";
import { beginPasskey, deletePasskey, finishPasskey } from "../../domain/member/passkey.ts";
import { listPasskeys } from "../../domain/member/passkey-rows.ts";
import { listSessions, signOut, signOutOthers } from "../../domain/member/session.ts";
import {
  changeRole,
  inviteAgain,
  inviteMember,
  listTeam,
  readCustomer,
  removeMember,
  renameCustomer,
  renameSelf,
  requirePasskeys,
} from "../../domain/member/team.ts";
import { type Dashboard, mountMember, nameIn, type Visitor } from "./guard.ts";

/** Account endpoints: the members' own profiles, the team, and the audit log. */
export function routesAccount(app: FastifyInstance, dashboard: Dashboard): void {
  meRoutes(app, dashboard);
  passkeyRoutes(app, dashboard);
  teamRoutes(app, dashboard);
  auditRoutes(app, dashboard);
}

function auditRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts } = dashboard;
  type Query = { brand?: string; actor?: string; action?: string; from?: string; to?: string };
  const filterOf = async ({ member }: Visitor, { brand, actor, action, from, to }: Query) => {
    const { customerUuid } = member;
    if (brand !== undefined && !(await brandUuidsOf(accounts.home, customerUuid)).includes(brand.toLowerCase()))
      throw refuse(404, "No such brand.");
    return { customerUuid, brandUuid: brand, actor, action, from: numberIn(from), to: numberIn(to) };
  };
  mountMember(app, dashboard, listAudit, async (who, { query }) => {
    const filter = await filterOf(who, query);
    const { lines, hasOlder } = await listAuditLog(accounts, { ...filter, before: numberIn(query.before) });
    return { data: lines, hasOlder };
  });
  mountMember(app, dashboard, exportAudit, async (who, { query }) =>
    exportAuditLog(accounts, await filterOf(who, query)),
  );
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function meRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts } = dashboard;
  mountMember(app, dashboard, contract.readMe, async ({ member, needsPasskey, mayAddPasskey, isFresh }) => ({
    needsPasskey,
    mayAddPasskey,
    isFresh,
    member,
    customer: await readCustomer(accounts, member.customerUuid),
    environments: Object.values(dashboard.environments).map(({ environment, addresses }) => ({
      environment,
      ...addresses,
    })),
    hasPasskey: (await listPasskeys(accounts.home, member.uuid)).length > 0,
  }));
  mountMember(app, dashboard, contract.patchMe, async (who, { body }) => renameSelf(accounts, who, maybeNameIn(body)));
  mountMember(app, dashboard, contract.signOutMember, async (who) => {
    await signOut(accounts, who, who.sessionUuid);
    who.leave();
  });
  mountMember(app, dashboard, contract.listMySessions, async ({ sessionUuid, member }) => {
    const lines = await listSessions(accounts, member.uuid);
    return { data: lines.map((line) => ({ ...line, isThisOne: line.uuid === sessionUuid })) };
  });
  mountMember(app, dashboard, contract.endMyOtherSessions, async (who) => ({
    ended: await signOutOthers(accounts, who),
  }));
  mountMember(app, dashboard, contract.endMySession, async (who, { params }) => signOut(accounts, who, params.uuid));
}

function passkeyRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts } = dashboard;
  mountMember(app, dashboard, contract.listMyPasskeys, async ({ member }) => ({
    data: await listPasskeys(accounts.home, member.uuid),
  }));
  mountMember(app, dashboard, contract.beginMyPasskey, async ({ member }) => beginPasskey(accounts, member));
  mountMember(app, dashboard, contract.finishMyPasskey, async (who, { params, body }) =>
    finishPasskey(accounts, who, { ...body, uuid: params.uuid }),
  );
  mountMember(app, dashboard, contract.deleteMyPasskey, async (who, { params }) =>
    deletePasskey(accounts, who, params.uuid),
  );
}

function teamRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts } = dashboard;
  mountMember(app, dashboard, contract.listTeam, async ({ member }) => ({ data: await listTeam(accounts, member) }));
  mountMember(app, dashboard, contract.inviteMember, async (who, { body }) => ({
    uuid: await inviteMember(accounts, who, { ...body, name: maybeNameIn(body) }),
  }));
  mountMember(app, dashboard, contract.inviteMemberAgain, async (who, { params }) =>
    inviteAgain(accounts, who, params.uuid),
  );
  mountMember(app, dashboard, contract.patchMember, async (who, { params, body }) =>
    changeRole(accounts, who, { memberUuid: params.uuid, role: body.role }),
  );
  mountMember(app, dashboard, contract.deleteMember, async (who, { params }) =>
    removeMember(accounts, who, params.uuid),
  );
  mountMember(app, dashboard, contract.setPasskeyPolicy, async (who, { body }) =>
    requirePasskeys(accounts, who, body.requiresPasskey),
  );
  mountMember(app, dashboard, contract.patchCustomer, async (who, { body }) =>
    renameCustomer(accounts, who, nameIn(body)),
  );
}

/** The name of a member, which may be empty. */
function maybeNameIn({ name }: { name: string }): string {
  return name.trim() === "" ? "" : nameIn({ name });
}
