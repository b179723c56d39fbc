import { composeMail, composeVault } from "../compose/adapters.ts";
import { type Config, readConfig } from "../config/config.ts";
import type { AdminDeps } from "../domain/brand/manage.ts";
import type { AccountDeps, Operator } from "../domain/deps.ts";
import { openMetrics } from "../http/metrics.ts";
import { openLog } from "../log.ts";
import { mailOutbox } from "../providers/sandbox/outboxes.ts";
import { systemClock } from "../providers/system.ts";
import { readReady } from "./ready.ts";

/** What commands need for accounts. The dashboard's URL comes from the running service's ready file, if any. */
export async function accountsOf({ cells, home, random }: AdminDeps, operator: Operator): Promise<AccountDeps> {
  const config = readConfig();
  const ready = await readReady(config.dataDir);
  const dashboardUrl = ready?.dashboardUrl ?? config.publicDashboardUrl ?? `http://localhost:${config.dashboardPort}`;
  const operatorUrl = ready?.operatorUrl ?? configuredUrl(config.console);
  const vault = await composeVault({ config, home });
  const mail = composeMail({ config, metrics: openMetrics(), log: openLog("warn") }) ?? mailOutbox();
  return {
    cells,
    home,
    vault,
    random,
    clock: systemClock,
    mail,
    openId: null,
    addresses: { dashboardUrl, operatorUrl },
    operator,
  };
}

function configuredUrl(settings: Config["console"]): string | null {
  if (settings === null) return null;
  return settings.publicUrl ?? `http://localhost:${settings.port}`;
}
