import { fastifyCookie } from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { routesAssets, type WebAssets } from "../wallet/assets.ts";
import { sendDashboard } from "../wallet/html.ts";
import { routesAccount } from "./account.ts";
import { routesBrands } from "./brands.ts";
import type { Desk } from "./guard.ts";
import { routesLogo } from "./logo.ts";
import { routesRules } from "./rules.ts";
import { routesDeskSandbox } from "./sandbox.ts";
import { routesSignIn } from "./sign-in.ts";
import { routesStart } from "./start.ts";
import { routesWatch } from "./watch.ts";
import { routesWebhooks } from "./webhooks.ts";

/** The dashboard. Every path that is not an API or asset path returns the web application. */
export function routesDashboard(app: FastifyInstance, desk: Desk, assets: WebAssets): void {
  app.register(fastifyCookie);
  routesSignIn(app, desk);
  routesAccount(app, desk);
  routesBrands(app, desk);
  routesWebhooks(app, desk);
  routesRules(app, desk);
  routesStart(app, desk);
  routesLogo(app, desk);
  routesWatch(app, desk);
  routesDeskSandbox(app, desk);
  routesAssets(app, assets);
  app.get("/*", async (request, reply) => {
    if (/^\/(api|assets|theme)(\/|$)/.test(request.url)) throw refuse(404, "There is nothing under this path.");
    const wallets = Object.values(desk.environments).map(({ addresses }) => addresses.walletUrl);
    return sendDashboard(reply, { wallets }, assets);
  });
}
