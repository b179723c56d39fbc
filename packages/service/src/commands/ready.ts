/** Reads the ready file of the service that runs on this machine. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@countersign/contract/brand";
import type { Config } from "../config/config.ts";
import { refuse } from "../domain/failure.ts";
import type { Ready } from "../service.ts";

/** Null if no service runs on this directory, or if its file is unreadable. */
export async function readReady(dataDir: string): Promise<Ready | null> {
  try {
    const written: Ready = JSON.parse(await readFile(join(dataDir, "ready.json"), "utf8"));
    return written;
  } catch {
    return null;
  }
}

type Places = Pick<Config, "publicWalletUrl" | "walletPort" | "production">;

/** The URL of an environment's wallet, from the ready file of a running service or from the configuration. */
export function walletUrlOf(environment: Environment, config: Places, ready: Ready | null): string {
  const walletUrl = ready?.environments[environment]?.walletUrl;
  if (walletUrl !== undefined) return walletUrl;
  if (environment === "sandbox") return config.publicWalletUrl ?? `http://localhost:${config.walletPort}`;
  if (config.production === null) throw refuse(409, "Production is not configured: no wallet can serve the logo.");
  return config.production.publicWalletUrl;
}
