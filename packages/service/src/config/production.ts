/** What production requires and the sandbox does not. All missing variables are reported at once. */
import { isLoopbackHost } from "@countersign/contract/loopback";
import type { reader } from "./reader.ts";

/** Ports and public URLs of production. Its listeners use plain HTTP behind a proxy that has the certificates. */
export type ProductionConfig = {
  apiPort: number;
  walletPort: number;
  publicApiUrl: string;
  publicWalletUrl: string;
};

const variables = [
  "PRODUCTION_API_PORT",
  "PRODUCTION_WALLET_PORT",
  "PUBLIC_PRODUCTION_API_URL",
  "PUBLIC_PRODUCTION_WALLET_URL",
] as const;

type Read = ReturnType<typeof reader>;

/** Null if no production variable is set. If one is set, all are required. */
export function readProduction(read: Read, problems: string[]): ProductionConfig | null {
  if (variables.every((name) => read.text(name) === null)) return null;
  const port = (name: string) => {
    if (read.text(name) === null) problems.push(`${name}: is required in production`);
    return read.port(name, 0);
  };
  const config = {
    apiPort: port("PRODUCTION_API_PORT"),
    walletPort: port("PRODUCTION_WALLET_PORT"),
    publicApiUrl: realUrl(read, "PUBLIC_PRODUCTION_API_URL", problems),
    publicWalletUrl: realUrl(read, "PUBLIC_PRODUCTION_WALLET_URL", problems),
  };
  const sandboxWallet = read.url("PUBLIC_WALLET_URL");
  // People type real data into a sandbox that strangers can reach, and its session cookies would travel in plain text.
  if (sandboxWallet !== null && !isSafe(sandboxWallet))
    problems.push("PUBLIC_WALLET_URL: must be https beside production, or an address of this machine");
  if (read.text("NODE_TLS_REJECT_UNAUTHORIZED") === "0")
    problems.push(
      "NODE_TLS_REJECT_UNAUTHORIZED: 0 would accept any certificate; add the certificate to NODE_EXTRA_CA_CERTS",
    );
  // Production needs the dashboard, because members manage production there and sign in by email.
  realUrl(read, "PUBLIC_DASHBOARD_URL", problems);
  problems.push(...repeatedUrls(read));
  if (read.text("SMTP_URL") === null)
    problems.push("SMTP_URL: is required in production: members sign in to the dashboard by email");
  if (read.text("MASTER_KEY") === null && read.text("MASTER_KEY_FILE") === null)
    problems.push("MASTER_KEY: is required in production (or MASTER_KEY_FILE)");
  return config;
}

const publicUrls = [
  "PUBLIC_API_URL",
  "PUBLIC_WALLET_URL",
  "PUBLIC_DASHBOARD_URL",
  "PUBLIC_PRODUCTION_API_URL",
  "PUBLIC_PRODUCTION_WALLET_URL",
  "PUBLIC_OPERATOR_URL",
];

/** Two listeners cannot have one address: people and brands would reach the wrong environment. */
function repeatedUrls(read: Read): string[] {
  const urls = publicUrls.map((name) => read.text(name) && read.url(name));
  return publicUrls.flatMap((name, at) => {
    const first = urls.indexOf(urls[at] ?? null);
    return urls[at] === null || first === at
      ? []
      : [`${name}: is also ${publicUrls[first]}; each listener needs its own`];
  });
}

function isSafe(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopbackHost(hostname);
}

/** A public https URL, not an address of this machine. */
function realUrl(read: Read, name: string, problems: string[]): string {
  const text = read.text(name);
  if (text === null) {
    problems.push(`${name}: is required in production`);
    return "";
  }
  const value = read.url(name);
  if (value === null) return "";
  const { protocol, hostname } = new URL(value);
  if (protocol !== "https:" || isLoopbackHost(hostname))
    problems.push(`${name}: must be a public https URL in production`);
  return value;
}
