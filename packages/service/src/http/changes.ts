/** Records every call that changes something in the audit log, even if the flow that it runs records nothing. */
import type { AuditAction } from "@countersign/contract/audit";
import type { Endpoint } from "@countersign/contract/endpoint";
import { type AccountActor, recordUnlessRecorded } from "../domain/audit/account-audit-rows.ts";
import type { AccountDeps } from "../domain/deps.ts";

/**
 * Calls that change nothing although their method is not GET: searches, trials, previews, challenges, and a listener's
 * calls.
 */
const changeNothing: ReadonlySet<string> = new Set([
  "searchLog",
  "countLog",
  "tryNetworkRules",
  "previewRequests",
  "beginMyPasskey",
  "takeSandboxForwards",
  "answerSandboxForward",
]);

/** The audit actions of calls that belong to no account and whose flows record nothing. */
const actions: Readonly<Record<string, AuditAction>> = {
  answerSandboxText: "text.answered",
  moveSandboxClock: "clock.moved",
  resetSandboxClock: "clock.reset",
  moveDashboardClock: "clock.moved",
  resetDashboardClock: "clock.reset",
  resetSandbox: "sandbox.reset",
};

/** Whether a call of a member or of sandbox control must leave an entry in the audit log. */
export function isAudited({ id, method, auth }: Endpoint): boolean {
  return (auth === "member" || auth === "sandboxControl") && method !== "GET" && !changeNothing.has(id);
}

/** The endpoint as the audit log names it. */
export function callOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** Records a successful call, unless its flow has already recorded the change. */
export async function recordCall(
  deps: Pick<AccountDeps, "clock" | "home">,
  by: AccountActor,
  declared: Endpoint,
): Promise<void> {
  if (isAudited(declared)) await recordUnlessRecorded(deps, by, { action: actions[declared.id] ?? "call.made" });
}
