/** What brands ask the operator for, with what helps to decide. */
import type { WaitingChange, WaitingProduction } from "@countersign/contract/console-approvals";
import { changesBetween } from "../audit/changes.ts";
import { findBrand, listApprovals } from "../brand/brand-rows.ts";
import { logoSetting } from "../brand/name-requests.ts";
import type { AccountDeps } from "../deps.ts";
import { listRequests } from "../member/approvals.ts";
import { listNameRequests } from "../member/name-approval.ts";
import { listNamesInUse } from "./customer-list-rows.ts";
import { lookAlikesOf, mixesScripts } from "./look-alikes.ts";

export async function listQueue(
  deps: AccountDeps,
): Promise<{ now: number; production: WaitingProduction[]; names: WaitingChange[] }> {
  const [requests, changed, inUse] = await Promise.all([
    listRequests(deps),
    listNameRequests(deps),
    listNamesInUse(deps.home),
  ]);
  const production: WaitingProduction[] = [];
  for (const { checked, confirmed, ...request } of requests) {
    const { brand } = request;
    const tested = await findBrand(deps.home, "sandbox", brand);
    const asked = await findBrand(deps.home, "production", brand);
    const granted = await listApprovals(deps.home, { brandUuid: brand, environment: "production" });
    production.push({
      ...request,
      checked: [...checked],
      confirmed: [...confirmed],
      changes: changesBetween(tested?.settings ?? {}, asked?.settings ?? {}),
      approvals: granted.map(({ approval }) => approval),
    });
  }
  const waiting = changed
    .filter(({ path }) => path !== logoSetting)
    .map(({ requested, customer, customerName }) => ({
      ...{ name: requested, customerUuid: customer, customerName },
      waits: true,
    }));
  const others = [...inUse.map((one) => ({ ...one, waits: false })), ...waiting];
  const names = changed.map((request): WaitingChange => {
    const isLogo = request.path === logoSetting;
    const whose = { name: request.requested, customerUuid: request.customer };
    return {
      ...request,
      isLogo,
      mixesScripts: !isLogo && mixesScripts(request.requested),
      lookAlikes: isLogo ? [] : lookAlikesOf(whose, others),
    };
  });
  return { now: deps.clock.now(), production, names };
}
