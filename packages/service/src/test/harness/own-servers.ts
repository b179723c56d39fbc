import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import pg from "pg";
import { startEmbedded } from "../../store/embedded/server.ts";
import { relayTo } from "./relay.ts";

/** A PostgreSQL server that only one test file uses, reached over TCP. Its table `server` has its name. */
export async function ownServer(name: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "countersign-server-"));
  const server = await startEmbedded({ dataDir, log: { info: () => {}, warn: () => {} } });
  const { host, port, user, database } = server;
  const relay = await relayTo(`${host}/.s.PGSQL.${port}`);
  const keeper = new pg.Client({ host, port, user, database });
  await keeper.connect();
  await keeper.query(`create table server as select '${name}' as name`);
  after(async () => {
    relay.close();
    await keeper.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const become = async (state: "on" | "off") => {
    await keeper.query(`alter system set default_transaction_read_only = ${state}`);
    await keeper.query("select pg_reload_conf()");
  };
  return {
    name,
    address: relay.address,
    silence: relay.silence,
    keeper,
    /** Refuses writes from now on, in open sessions too, like a primary that is demoted without a restart. */
    demote: () => become("on"),
    promote: () => become("off"),
    url: (query = "") => `postgres://${user}@${relay.address}/${database}${query}`,
  };
}
export type OwnServer = Awaited<ReturnType<typeof ownServer>>;

/** The URL of several servers. */
export function urlOf(servers: readonly OwnServer[], query: string): string {
  const [first] = servers;
  const addresses = servers.map(({ address }) => address).join();
  return `${first?.url().replace(first.address, addresses)}?${query}`;
}
