/** Requests of members for production, as if their checklist was done. */
import { checklist } from "@countersign/contract/dashboard-choices";
import { insertApprovalRequest } from "../../domain/member/approval-request-rows.ts";
import type { Sandbox } from "./sandbox.ts";

type Asked = { brandUuid: string; memberUuid: string; confirmed?: string[]; note?: string | undefined; now?: number };
const stated = checklist.filter(({ isComputed }) => !isComputed).map(({ id }) => id);

export async function requestProduction(
  { deps, store }: Pick<Sandbox, "deps" | "store">,
  { confirmed = stated, note = "Call us", now = 1, ...asked }: Asked,
): Promise<void> {
  const row = { ...asked, uuid: deps.random.uuid(), confirmed, note, now };
  await store.home.inTransaction((trx) => insertApprovalRequest(trx, row));
}
