import { fastifyCookie } from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import { routesMark } from "../mark.ts";
import { routesAssets, type WebAssets } from "../wallet/assets.ts";
import { sendConsole } from "../wallet/html.ts";
import { routesApprovals } from "./approvals.ts";
import { routesConsoleAudit } from "./audit.ts";
import { routesCustomers } from "./customers.ts";
import type { Console } from "./guard.ts";
import { routesOperators } from "./operators.ts";
import { routesPeople } from "./people.ts";
import { routesConsoleSignIn } from "./sign-in.ts";
import { routesStatus } from "./status.ts";
import { routesConsoleTexts } from "./texts.ts";

/** The operator's console. Every path that is not an API or asset path returns the web application. */
export function routesConsole(app: FastifyInstance, console: Console, assets: WebAssets): void {
  app.register(fastifyCookie);
  routesConsoleSignIn(app, console);
  routesApprovals(app, console);
  routesCustomers(app, console);
  routesPeople(app, console);
  routesConsoleAudit(app, console);
  routesStatus(app, console);
  routesConsoleTexts(app, console);
  routesOperators(app, console);
  routesAssets(app, assets);
  routesMark(app);
  app.get("/*", async (request, reply) => {
    if (/^\/(api|assets|theme)(\/|$)/.test(request.url)) throw refuse(404, "There is nothing under this path.");
    return sendConsole(reply, { hasOpenId: console.accounts.openId !== null, service: serviceOf(console) }, assets);
  });
}

/** The host of the API: of production, if this process runs it. */
function serviceOf({ environments }: Console): string {
  const { apiUrl } = (environments.production ?? environments.sandbox)?.addresses ?? { apiUrl: "" };
  return URL.canParse(apiUrl) ? new URL(apiUrl).host : "";
}
