/** Where the operator's console listens. */
import { BlockList, isIP } from "node:net";
import { isLoopbackHost } from "@countersign/contract/loopback";
import type { reader } from "./reader.ts";

export type ConsoleConfig = { host: string; port: number; publicUrl: string | null };

/** The console's port if DEMO is on and `OPERATOR_PORT` is not set. */
export const demoConsolePort = 4003;
const notSet = -1;

/** A public address would offer the console's sign-in to everybody. */
const privateNetworks = new BlockList();
privateNetworks.addSubnet("10.0.0.0", 8);
privateNetworks.addSubnet("172.16.0.0", 12);
privateNetworks.addSubnet("192.168.0.0", 16);
privateNetworks.addSubnet("100.64.0.0", 10);
privateNetworks.addSubnet("fc00::", 7, "ipv6");

/** `port`: null if it is not set. */
export function readConsole(
  read: ReturnType<typeof reader>,
): Pick<ConsoleConfig, "host" | "publicUrl"> & { port: number | null } {
  const host = read.text("OPERATOR_HOST") ?? "127.0.0.1";
  const publicUrl = read.url("PUBLIC_OPERATOR_URL");
  const isHttps = publicUrl !== null && new URL(publicUrl).protocol === "https:";
  const port = read.port("OPERATOR_PORT", notSet);
  if (!isLoopbackHost(host)) {
    const family = isIP(host);
    if (family === 0 || !privateNetworks.check(host, family === 6 ? "ipv6" : "ipv4"))
      read.problem("OPERATOR_HOST: must be a loopback address, or one address in a private network");
    if (!isHttps)
      read.problem("PUBLIC_OPERATOR_URL: must be an https URL, because OPERATOR_HOST is not a loopback address");
  } else if (publicUrl !== null && !isHttps && !isLoopbackHost(new URL(publicUrl).hostname)) {
    // A proxy on this machine would offer the console in plain text, and the session's cookie with it.
    read.problem("PUBLIC_OPERATOR_URL: must be an https URL, or an address of this machine");
  }
  return { host, publicUrl, port: port === notSet ? null : port };
}
