import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { type Composed, compose } from "./compose.ts";
import type { Production } from "./compose-production.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import { demoBrands } from "./providers/sandbox/demo.ts";
import { lockDataDir } from "./store/data-dir.ts";

type Addresses = { apiUrl: string; walletUrl: string };
export type Ready = {
  pid: number;
  environments: { sandbox: Addresses; production?: Addresses };
  dashboardUrl: string;
  demo?: { brands: { uuid: string; name: string; integrationType: string; apiKey: string }[] };
};
export type Service = { ready: Ready; composed: Composed; stop(): Promise<void> };

/** How long a stop waits for requests that are being answered; a client that never finishes its own must not hold it. */
const drainMs = 4_000;

/** Starts everything; resolves when requests are answered. Throws `DataDirInUse` when another process has the directory. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const lock = await lockDataDir(config.dataDir);
  const readyPath = join(config.dataDir, "ready.json");
  await rm(readyPath, { force: true });
  const composed = await compose(config, log).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  const { app, wallet, dashboard } = composed.sandbox;
  const { production } = composed;
  const listeners = [app, wallet, dashboard, ...(production === null ? [] : [production.app, production.wallet])];
  const stop = async () => {
    await rm(readyPath, { force: true });
    const cut = setTimeout(() => {
      for (const { server } of listeners) server.closeAllConnections();
    }, drainMs);
    await composed.close();
    clearTimeout(cut);
    lock.release();
  };
  try {
    const walletUrl = await listen(wallet, {
      host: config.host,
      port: config.walletPort,
      publicUrl: config.publicWalletUrl,
    });
    const dashboardUrl = await listen(dashboard, {
      host: config.host,
      port: config.dashboardPort,
      publicUrl: config.publicDashboardUrl,
    });
    composed.sandbox.deps.addresses.walletUrl = walletUrl;
    composed.sandbox.accounts.addresses.dashboardUrl = dashboardUrl;
    if (config.demo) await composed.sandbox.seedDemo(walletUrl);
    const apiUrl = await listen(app, {
      host: config.host,
      port: config.apiPort,
      publicUrl: config.publicApiUrl,
    });
    composed.sandbox.deps.addresses.apiUrl = apiUrl;
    const real = await listenProduction(config, production);
    const ready: Ready = {
      pid: process.pid,
      environments: { sandbox: { apiUrl, walletUrl }, ...(real === null ? {} : { production: real }) },
      dashboardUrl,
      ...(config.demo
        ? {
            demo: {
              brands: demoBrands.map(({ uuid, name, integrationType, apiKey }) => ({
                uuid,
                name,
                integrationType,
                apiKey,
              })),
            },
          }
        : {}),
    };
    await writeWhole(readyPath, JSON.stringify(ready, null, 2));
    return { ready, composed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listenProduction({ host, production }: Config, made: Production | null): Promise<Addresses | null> {
  if (production === null || made === null) return null;
  const { publicApiUrl, publicWalletUrl } = production;
  const walletUrl = await listen(made.wallet, { host, port: production.walletPort, publicUrl: publicWalletUrl });
  const apiUrl = await listen(made.app, { host, port: production.apiPort, publicUrl: publicApiUrl });
  return { apiUrl, walletUrl };
}

async function listen(
  app: FastifyInstance,
  about: { host: string; port: number; publicUrl: string | null },
): Promise<string> {
  await app.listen({ host: about.host, port: about.port });
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : about.port;
  const name = about.host === "127.0.0.1" || about.host === "0.0.0.0" || about.host === "::" ? "localhost" : about.host;
  return about.publicUrl ?? `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** A reader sees the whole file or none. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, `${text}\n`);
  await rename(temporary, path);
}
