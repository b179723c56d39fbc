/** What the service that runs on this machine has written down about itself, for commands beside it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@countersign/contract/brand";
import type { Config } from "../config/config.ts";
import { refuse } from "../domain/failure.ts";
import type { Ready } from "../service.ts";

/** Null where none runs on the directory, or what it wrote cannot be read. */
export async function readReady(dataDir: string): Promise<Ready | null> {
  try {
    const written: Ready = JSON.parse(await readFile(join(dataDir, "ready.json"), "utf8"));
    return written;
  } catch {
    return null;
  }
}

type Places = Pick<Config, "publicWalletUrl" | "walletPort" | "production">;

/** Where an environment's wallet is: as the service that runs here has written down, or else as it would be. */
export function walletUrlOf(environment: Environment, config: Places, ready: Ready | null): string {
  const there = ready?.environments[environment]?.walletUrl;
  if (there !== undefined) return there;
  if (environment === "sandbox") return config.publicWalletUrl ?? `http://localhost:${config.walletPort}`;
  if (config.production === null) throw refuse(409, "Production is not set up here, so a logo would be nowhere.");
  return config.production.publicWalletUrl;
}
