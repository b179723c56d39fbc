import { fastifyCookie } from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { routesMark } from "../mark.ts";
import { routesAssets, type WebAssets } from "../wallet/assets.ts";
import { sendDashboard } from "../wallet/html.ts";
import { routesAccount } from "./account.ts";
import { routesBrands } from "./brands.ts";
import type { Dashboard } from "./guard.ts";
import { routesLogo } from "./logo.ts";
import { routesOverview } from "./overview.ts";
import { routesPreview } from "./preview.ts";
import { routesReporting } from "./reporting.ts";
import { routesRules } from "./rules.ts";
import { routesDashboardSandbox } from "./sandbox.ts";
import { routesSignIn } from "./sign-in.ts";
import { routesStart } from "./start.ts";
import { routesWebhooks } from "./webhooks.ts";

/** The dashboard. Every path that is not an API or asset path returns the web application. */
export function routesDashboard(app: FastifyInstance, dashboard: Dashboard, assets: WebAssets): void {
  app.register(fastifyCookie);
  routesSignIn(app, dashboard);
  routesAccount(app, dashboard);
  routesBrands(app, dashboard);
  routesWebhooks(app, dashboard);
  routesPreview(app, dashboard);
  routesRules(app, dashboard);
  routesStart(app, dashboard);
  routesLogo(app, dashboard);
  routesOverview(app, dashboard);
  routesReporting(app, dashboard);
  routesDashboardSandbox(app, dashboard);
  routesAssets(app, assets);
  routesMark(app);
  app.get("/*", async (request, reply) => {
    if (/^\/(api|assets|theme)(\/|$)/.test(request.url)) throw refuse(404, "There is nothing under this path.");
    const wallets = Object.values(dashboard.environments).map(({ addresses }) => addresses.walletUrl);
    return sendDashboard(reply, { wallets, hasOpenId: dashboard.accounts.openId !== null }, assets);
  });
}
