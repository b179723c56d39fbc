import {
  moveDashboardClock,
  readDashboardClock,
  readOutbox,
  resetDashboardClock,
} from "@countersign/contract/dashboard-sandbox";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { listBrands } from "../../domain/member/brand-list.ts";
import { listEmails, listTexts } from "../../domain/sandbox/outbox.ts";
import { clockHome, moveClock, type SandboxClock } from "../sandbox/clock.ts";
import { type Desk, mountMember } from "./guard.ts";

const linesMax = 200;

/** The sandbox for members: the messages that would have been sent, and the clock. */
export function routesDeskSandbox(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  mountMember(app, desk, readOutbox, async ({ member }) => {
    const deps = desk.environments.sandbox;
    if (deps === undefined) throw refuse(404, "This service runs no sandbox.");
    const { customerUuid } = member;
    const brands = new Map((await listBrands(accounts, customerUuid)).map(({ uuid, name }) => [uuid, name]));
    const texts = (await listTexts(deps, { customerUuid })).map((text) => ({
      ...text,
      brandName: brands.get(text.brandUuid) ?? null,
    }));
    // An email lets its reader sign in as the addressee, so members see only their own emails.
    const mails = (await listEmails(deps, { customerUuid, to: member.email })).map((mail) => ({
      ...mail,
      brandName: null,
    }));
    return { data: [...texts, ...mails].sort((a, b) => b.sentAt - a.sentAt).slice(0, linesMax) };
  });
  const clock = (): SandboxClock => {
    if (desk.sandbox === null) throw refuse(404, "This service runs no sandbox.");
    return desk.sandbox;
  };
  const shown = () => ({ ...clock().readClock(), isMovable: clock().clock !== null });
  mountMember(app, desk, readDashboardClock, async () => shown());
  mountMember(app, desk, moveDashboardClock, async (_who, { body }) => moveClock(clock(), body));
  mountMember(app, desk, resetDashboardClock, async () => {
    await clockHome(clock());
    return shown();
  });
}
