import type { Ready } from "../service.ts";

type StartFacts = {
  processes: number;
  database: string;
  missing: string[];
  signInLink?: string;
  operatorLink?: string;
  /** Whether this Node is the one in node_modules, which differs from the one that runs npm. */
  isPinnedNode: boolean;
  isSiteBuilt: boolean;
};

/** The text that is printed when the service is ready: all URLs, the demo keys, and a first call that works. */
export function welcome(ready: Ready, facts: StartFacts): string {
  const { sandbox, production } = ready.environments;
  const { apiUrl, walletUrl } = sandbox;
  const keys = ready.demo?.brands ?? [];
  const first = keys[0];
  const several = facts.processes === 1 ? "" : `, ${facts.processes} processes`;
  const node = `Node ${process.version}${facts.isPinnedNode ? " from node_modules" : ""}`;
  const toBuild =
    first === undefined ? "not built: run `npm run build -- docs`" : "the first `npm start` builds it, about a minute";
  const lines = [
    "",
    `Countersign is ready (${node}, ${facts.database} PostgreSQL${several}).`,
    "",
    ...(first === undefined ? [] : [`  see a signup       ${walletUrl}/demo`, ""]),
    `  sandbox API        ${apiUrl}`,
    `  documentation      ${apiUrl}/docs${facts.isSiteBuilt ? "" : `  (${toBuild})`}`,
    `  sandbox wallet     ${walletUrl}`,
    `  dashboard          ${ready.dashboardUrl}`,
    ...(production === undefined
      ? []
      : [`  production API     ${production.apiUrl}`, `  production wallet  ${production.walletUrl}`]),
    ...(ready.operatorUrl === undefined ? [] : [`  operator console   ${ready.operatorUrl}`]),
    ...(facts.signInLink === undefined ? [] : [`  one-time sign-in   ${facts.signInLink}`]),
    ...(facts.operatorLink === undefined ? [] : [`  operator sign-in   ${facts.operatorLink}`]),
    "",
    ...(facts.missing.length === 0 ? [] : ["Production is incomplete:", ...facts.missing.map((one) => `  ${one}`), ""]),
    ...(first === undefined
      ? ["No demo brands. Create one: `countersign customers create`, then `countersign brands create`."]
      : [
          "Demo keys (public):",
          ...keys.map((brand) => `  ${brand.apiKey.padEnd(37)}${brand.integrationType}`),
          "",
          "Request an identity:",
          "",
          `  curl -s ${apiUrl}/v2/1-click -H 'Authorization: ${first.apiKey}' \\`,
          `    -H 'Content-Type: application/json' -d '{"phone":"+12125550010"}'`,
        ]),
    "",
  ];
  return `${lines.join("\n")}\n`;
}
