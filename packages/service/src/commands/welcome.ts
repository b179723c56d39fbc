import type { Ready } from "../service.ts";

type About = { node: string; database: string; missing: string[]; signInLink?: string };

/** The text that is printed when the service is ready: all URLs, the demo keys, and a first call that works. */
export function welcome(ready: Ready, about: About): string {
  const { sandbox, production } = ready.environments;
  const { apiUrl, walletUrl } = sandbox;
  const keys = ready.demo?.brands ?? [];
  const first = keys[0];
  const lines = [
    "",
    `Countersign is ready (Node ${about.node}, ${about.database} PostgreSQL).`,
    "",
    `  sandbox API     ${apiUrl}`,
    `  API reference   ${apiUrl}/docs`,
    `  sandbox wallet  ${walletUrl}`,
    `  dashboard       ${ready.dashboardUrl}`,
    ...(production === undefined
      ? []
      : [`  production API  ${production.apiUrl}`, `  its wallet      ${production.walletUrl}`]),
    ...(about.signInLink === undefined ? [] : [`  sign in (once)  ${about.signInLink}`]),
    "",
    ...(about.missing.length === 0 ? [] : ["Production lacks:", ...about.missing.map((one) => `  ${one}`), ""]),
    ...(first === undefined
      ? ["No demo brands here. `npx countersign customers create` and `brands create` make the first ones."]
      : [
          "Demo keys, known to everybody:",
          ...keys.map((brand) => `  ${brand.apiKey.padEnd(37)}${brand.integrationType}`),
          "",
          "A first identity:",
          "",
          `  curl -s ${apiUrl}/v2/1-click -H 'Authorization: ${first.apiKey}' \\`,
          `    -H 'Content-Type: application/json' -d '{"phone":"+12125550010"}'`,
        ]),
    "",
  ];
  return `${lines.join("\n")}\n`;
}
