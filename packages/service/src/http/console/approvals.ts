import { answerName, answerProduction, changeAddOn, listWaiting } from "@countersign/contract/console-approvals";
import type { FastifyInstance } from "fastify";
import { refuseProduction } from "../../domain/member/approvals.ts";
import { approveName, rejectName, requestedLogo } from "../../domain/member/name-approval.ts";
import { approveForOperator } from "../../domain/operator/customers.ts";
import { listQueue } from "../../domain/operator/queue.ts";
import { addPasskeyFirst, type Console, mountStaff, staffOf } from "./guard.ts";

/** What waits for the operator, and the answers. */
export function routesApprovals(app: FastifyInstance, console: Console): void {
  const { accounts, admins } = console;
  mountStaff(app, console, listWaiting, async () => listQueue(accounts));
  mountStaff(app, console, answerProduction, async (who, { params, body }) => {
    const { granted, reason } = body;
    const deps = who.acting(reason);
    if (!granted) return await refuseProduction(deps, params.brand, reason);
    const input = { brandUuid: params.brand, approval: "production" as const, granted, onRequest: true };
    await approveForOperator(deps, admins.production, input);
  });
  mountStaff(app, console, answerName, async (who, { params, body }) => {
    const deps = who.acting(body.reason);
    if (!body.approved) return await rejectName(deps, params.request);
    await approveName(deps, (environment) => admins[environment], params.request);
  });
  mountStaff(app, console, changeAddOn, async (who, { params, body }) => {
    const { environment, approval, granted, reason } = body;
    const onRequest = environment === "production" && approval === "production";
    const input = { brandUuid: params.brand, approval, granted, onRequest };
    await approveForOperator(who.acting(reason), admins[environment], input);
  });
  routesWaitingLogo(app, console);
}

/** The picture of a logo that waits. Content that is hidden in it cannot run, load anything, or act as our page. */
function routesWaitingLogo(app: FastifyInstance, console: Console): void {
  app.get<{ Params: { request: string } }>("/api/console/logos/:request", async (request, reply) => {
    const call = "GET /api/console/logos/:request";
    const { needsPasskey } = await staffOf(console, { request, reply, call, role: "support" });
    if (needsPasskey) throw addPasskeyFirst();
    const { type, bytes } = await requestedLogo(console.accounts, request.params.request);
    return reply
      .header("content-security-policy", "default-src 'none'; sandbox")
      .type(type === "png" ? "image/png" : "image/jpeg")
      .send(bytes);
  });
}
