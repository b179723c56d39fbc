/** The dashboard for brands' staff. It covers both environments and uses the real clock. */
import type { FastifyInstance } from "fastify";
import type { AdminDeps } from "../domain/brand/manage.ts";
import type { AccountDeps } from "../domain/deps.ts";
import { refuseLeakedKeys } from "../http/auth.ts";
import { routesDashboard } from "../http/dashboard/server.ts";
import { demoBrands } from "../providers/sandbox/demo.ts";
import { testPeople } from "../providers/sandbox/people.ts";
import type { Environment } from "./environment.ts";
import { addressLimit, composeListener } from "./listeners.ts";
import type { Resources } from "./resources.ts";
import type { Sandbox } from "./sandbox.ts";

/** Sign-in requests per IP address and minute. Each one is a guess or sends an email. */
const signInQuota = 30;

type DashboardOptions = { accounts: AccountDeps; sandbox: Sandbox; production: Environment | null };

export function composeDashboard(
  resources: Resources,
  { accounts, sandbox, production }: DashboardOptions,
): { app: FastifyInstance; closeLog(): Promise<void> } {
  const { config, assets } = resources;
  const { app, closeLog } = composeListener(resources, { ...sandbox.deps, clock: accounts.clock });
  for (const environment of [sandbox, production]) if (environment !== null) refuseLeakedKeys(app, environment.gate);
  const demoKeys = config.demo ? demoBrands.map(({ uuid, apiKey }): [string, string] => [uuid, apiKey]) : [];
  routesDashboard(
    app,
    {
      accounts,
      reports: resources.reports,
      admins: { sandbox: sandbox.admin, production: production?.admin ?? productionAdmin(sandbox.admin, accounts) },
      environments: {
        sandbox: sandbox.homeDeps,
        ...(production === null ? {} : { production: production.homeDeps }),
      },
      sandbox: sandbox.controls,
      guides: { sandbox: { testPeople: testPeople(), demoKeys: new Map(demoKeys) } },
      keptMail: config.adapters.smtp === null ? { outboxUrl: () => (config.demo ? outboxOf(sandbox) : null) } : null,
      onSignInRefused: (note) => resources.log.warn("sign-in rejected", note),
      signInLimit: addressLimit(resources, { name: "signIn", quota: signInQuota, windowSeconds: 60 }),
    },
    assets,
  );
  return { app, closeLog };
}

/** Lists the emails to members of the demo accounts, whose keys are public. */
function outboxOf({ deps }: Sandbox): string {
  return `${deps.addresses.apiUrl}/sandbox/messages`;
}

/**
 * Members can edit production settings before any process serves production, so its administration is available here.
 */
export function productionAdmin(sandbox: AdminDeps, { clock }: AccountDeps): AdminDeps {
  const differs = { consentDeclared: false, loopbackRedirects: false, namesWait: true };
  return { ...sandbox, environment: "production", clock, ...differs };
}
