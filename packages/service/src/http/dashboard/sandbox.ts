import {
  listDue,
  moveDashboardClock,
  outboxMax,
  readDashboardClock,
  readOutbox,
  resetDashboardClock,
} from "@countersign/contract/dashboard-sandbox";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { listBrands } from "../../domain/member/brand-list.ts";
import { listDueMarks } from "../../domain/sandbox/due.ts";
import { listEmails, listTexts } from "../../domain/sandbox/outbox.ts";
import { clockHome, moveClock, type SandboxClock } from "../sandbox/clock.ts";
import { type Dashboard, mountMember } from "./guard.ts";

/** The sandbox for members: the messages that would have been sent, and the clock. */
export function routesDashboardSandbox(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts } = dashboard;
  const sandbox = () => {
    const { sandbox: homeDeps } = dashboard.environments;
    if (homeDeps === undefined) throw refuse(404, "This service runs no sandbox.");
    return homeDeps;
  };
  const namesOf = async (customerUuid: string) =>
    new Map((await listBrands(accounts, customerUuid)).map(({ uuid, name }) => [uuid, name]));
  mountMember(app, dashboard, readOutbox, async ({ member }) => {
    const homeDeps = sandbox();
    const { customerUuid } = member;
    const brands = await namesOf(customerUuid);
    const texts = (await listTexts(homeDeps, { customerUuid, max: outboxMax })).map((text) => ({
      ...text,
      brandName: brands.get(text.brandUuid) ?? null,
      journey: text.verificationUuid === null ? null : { brand: text.brandUuid, uuid: text.verificationUuid },
    }));
    // An email lets its reader sign in as the addressee, so members see only their own.
    const mails = (await listEmails(homeDeps, { customerUuid, to: member.email })).map((mail) => ({
      ...mail,
      brandName: null,
      journey: null,
    }));
    return { data: [...texts, ...mails].sort((a, b) => b.sentAt - a.sentAt).slice(0, outboxMax) };
  });
  const clock = (): SandboxClock => {
    if (dashboard.sandbox === null) throw refuse(404, "This service runs no sandbox.");
    return dashboard.sandbox;
  };
  const shown = () => ({ ...clock().readClock(), isMovable: clock().clock !== null });
  mountMember(app, dashboard, readDashboardClock, async () => shown());
  mountMember(app, dashboard, listDue, async ({ member }) =>
    listDueMarks(sandbox(), await namesOf(member.customerUuid)),
  );
  mountMember(app, dashboard, moveDashboardClock, async (_who, { body }) => moveClock(clock(), body));
  mountMember(app, dashboard, resetDashboardClock, async () => {
    await clockHome(clock());
    return shown();
  });
}
