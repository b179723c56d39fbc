import {
  type AuditGroup,
  auditGroups,
  exportConsoleAudit,
  searchConsoleAudit,
} from "@countersign/contract/console-audit";
import type { FastifyInstance } from "fastify";
import { exportAuditOfAll, searchAudit } from "../../domain/operator/audit-search.ts";
import { type Console, mountStaff } from "./guard.ts";

type Query = {
  customer?: string;
  brand?: string;
  actor?: string;
  action?: string;
  group?: AuditGroup;
  person?: string;
  from?: string;
  to?: string;
};

/** The audit log of all accounts. */
export function routesConsoleAudit(app: FastifyInstance, console: Console): void {
  mountStaff(app, console, searchConsoleAudit, async (_who, { query }) =>
    searchAudit(console.accounts, { ...filterOf(query), before: millisIn(query.before) }),
  );
  mountStaff(app, console, exportConsoleAudit, async (who, { body: { reason, ...filter } }) =>
    exportAuditOfAll(who.acting(reason), filterOf(filter)),
  );
}

function filterOf({ brand, group, person, from, to, ...rest }: Query) {
  const actions = group === undefined ? undefined : auditGroups[group];
  return { ...rest, actions, brandUuid: brand, subject: person?.toLowerCase(), from: millisIn(from), to: millisIn(to) };
}

const millisIn = (text: string | undefined) => (text === undefined ? undefined : Number(text));
