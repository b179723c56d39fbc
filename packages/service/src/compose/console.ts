/** The operator's console: a listener of its own, for the people who run the service. */
import type { FastifyInstance } from "fastify";
import { version } from "../config/version.ts";
import type { AccountDeps } from "../domain/deps.ts";
import { routesConsole } from "../http/console/server.ts";
import { configuredVendors } from "./adapters.ts";
import { productionAdmin } from "./dashboard.ts";
import type { Environment } from "./environment.ts";
import { addressLimit, composeListener } from "./listeners.ts";
import type { Resources } from "./resources.ts";
import type { Sandbox } from "./sandbox.ts";

/** Sign-in requests per IP address and minute. */
const signInQuota = 30;
/** Looks at people per operator and hour. */
const lookQuota = 60;

type ConsoleOptions = { accounts: AccountDeps; sandbox: Sandbox; production: Environment | null };

/** Null if the console is off. */
export function composeConsole(
  resources: Resources,
  { accounts, sandbox, production }: ConsoleOptions,
): { app: FastifyInstance; closeLog(): Promise<void> } | null {
  const { config, assets } = resources;
  if (config.console === null) return null;
  // The proxies of brands and people do not belong before the console, where any local caller would count as one.
  const trust = { trustedProxies: [] };
  const { app, closeLog } = composeListener(resources, { ...sandbox.deps, clock: accounts.clock }, trust);
  routesConsole(
    app,
    {
      accounts,
      admins: { sandbox: sandbox.admin, production: production?.admin ?? productionAdmin(sandbox.admin, accounts) },
      environments: {
        sandbox: sandbox.homeDeps,
        ...(production === null ? {} : { production: production.homeDeps }),
      },
      linksSuffice: config.demo,
      vendors: configuredVendors(config),
      newest: resources.metrics.newest,
      version,
      signInLimit: addressLimit(resources, { name: "operatorSignIn", quota: signInQuota, windowSeconds: 60 }),
      lookLimit: addressLimit(resources, { name: "looks", quota: lookQuota, windowSeconds: 3_600 }, "operatorLook"),
      onSignInRefused: (note) => resources.log.warn("operator's sign-in rejected", note),
    },
    assets,
  );
  return { app, closeLog };
}
