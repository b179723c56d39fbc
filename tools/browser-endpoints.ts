/**
 * Generates the endpoint tables of the browser clients from the contract: the method and path of each endpoint, and a
 * type with the endpoint values. Schemas would make the bundles several times larger.
 */
import * as account from "@countersign/contract/account";
import * as audit from "@countersign/contract/audit";
import * as console from "@countersign/contract/console";
import * as consoleApprovals from "@countersign/contract/console-approvals";
import * as consoleAudit from "@countersign/contract/console-audit";
import * as consoleCustomers from "@countersign/contract/console-customers";
import * as consoleOperators from "@countersign/contract/console-operators";
import * as consolePeople from "@countersign/contract/console-people";
import * as consoleRetention from "@countersign/contract/console-retention";
import * as consoleStatus from "@countersign/contract/console-status";
import * as consoleTexts from "@countersign/contract/console-texts";
import * as consoleVendors from "@countersign/contract/console-vendors";
import * as dashboardAccount from "@countersign/contract/dashboard";
import * as dashboardBrands from "@countersign/contract/dashboard-brands";
import * as dashboardJourneys from "@countersign/contract/dashboard-journeys";
import * as dashboardLogo from "@countersign/contract/dashboard-logo";
import * as dashboardPreview from "@countersign/contract/dashboard-preview";
import * as dashboardReporting from "@countersign/contract/dashboard-reporting";
import * as dashboardRules from "@countersign/contract/dashboard-rules";
import * as dashboardSandbox from "@countersign/contract/dashboard-sandbox";
import * as dashboardSignIn from "@countersign/contract/dashboard-sign-in";
import * as dashboardStart from "@countersign/contract/dashboard-start";
import * as dashboardWebhooks from "@countersign/contract/dashboard-webhooks";
import type { Endpoint } from "@countersign/contract/endpoint";
import * as session from "@countersign/contract/session";
import * as stage from "@countersign/contract/stage";
import * as takeout from "@countersign/contract/takeout";
import * as wallet from "@countersign/contract/wallet";
import { formatted } from "./formatted.ts";

type Module = Readonly<Record<string, unknown>>;

/** Generated file → the contract's modules with its endpoints, by import name. */
const clients: Readonly<Record<string, Readonly<Record<string, Module>>>> = {
  "packages/web/src/wallet/endpoints.ts": { wallet, session },
  "packages/web/src/wallet/account/endpoints.ts": { account, takeout },
  "packages/web/src/demo/endpoints.ts": { stage },
  "packages/web/src/dashboard/endpoints.ts": {
    dashboard: dashboardAccount,
    "dashboard-brands": dashboardBrands,
    "dashboard-journeys": dashboardJourneys,
    "dashboard-logo": dashboardLogo,
    audit,
    "dashboard-reporting": dashboardReporting,
    "dashboard-rules": dashboardRules,
    "dashboard-sandbox": dashboardSandbox,
    "dashboard-sign-in": dashboardSignIn,
    "dashboard-preview": dashboardPreview,
    "dashboard-start": dashboardStart,
    "dashboard-webhooks": dashboardWebhooks,
  },
  "packages/web/src/console/endpoints.ts": {
    console,
    "console-approvals": consoleApprovals,
    "console-customers": consoleCustomers,
    "console-people": consolePeople,
    "console-audit": consoleAudit,
    "console-status": consoleStatus,
    "console-texts": consoleTexts,
    "console-vendors": consoleVendors,
    "console-retention": consoleRetention,
    "console-operators": consoleOperators,
  },
};
/** Other tags in these modules are for brands' servers. */
const tags = ["Wallet", "Dashboard", "Stage", "Console"];

/** Repository path → text. */
export function browserEndpoints(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(clients).map(([path, modules]) => [path, formatted(path, "packages/contract", textOf(modules))]),
  );
}

function textOf(modules: Readonly<Record<string, Module>>): string {
  const lines = Object.values(modules)
    .flatMap(endpointsOf)
    .map(({ id, method, path }) => `${id}: "${method} ${path}",`);
  const types = Object.keys(modules).map((name) => `typeof import("@countersign/contract/${name}")`);
  return `
    /** Method and path of each endpoint. */
    export const endpoints = { ${lines.join("\n")} };

    type Modules = ${types.join(" & ")};
    /** The endpoint values, for their types only. */
    export type Endpoints = Pick<Modules, keyof typeof endpoints>;
  `;
}

function endpointsOf(module: Module): Endpoint[] {
  return Object.values(module)
    .filter(isEndpoint)
    .filter(({ tag }) => tags.includes(tag));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "id" in value && "method" in value && "auth" in value;
}
