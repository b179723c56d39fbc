import pg from "pg";
import { HostWatch } from "./host-watch.ts";
import { cut, type Hosts, NoHost, sessionFits, unusableReason } from "./hosts.ts";

type OnConnect = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A client class that connects to the usable host. If that host is lost, its connections are cut. `answerMs` is how
 * long a host may take to answer.
 */
export function clientsOn(hosts: Hosts, answerMs: number): { Client: typeof pg.Client; close(): void } {
  const urls = new Map<pg.Client, string>();
  const watch = new HostWatch(hosts, answerMs, (lost) => {
    for (const [client, url] of urls) if (url === lost) cut(client);
  });
  class HostClient extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: OnConnect): void;
    override connect(callback?: OnConnect): Promise<pg.Client> | undefined {
      const connected = this.#connectToHost();
      if (callback === undefined) return connected;
      const tell = callback as (error: Error | null, client?: pg.Client) => void;
      connected.then((client) => tell(null, client), tell);
      return undefined;
    }

    async #connectToHost(): Promise<pg.Client> {
      // The pool listens for errors only after the connect. Until then, an error would end the process.
      this.on("error", () => {});
      const url = await watch.find();
      const { host, port } = new pg.Client({ connectionString: url });
      Object.assign(this, { host, port });
      urls.set(this, url);
      this.once("end", () => urls.delete(this));
      try {
        await super.connect();
        if (await sessionFits(this, hosts.accepts)) return this;
        throw new NoHost(hosts, [`${host}:${port}: ${unusableReason(hosts)}`]);
      } catch (error) {
        urls.delete(this);
        watch.check();
        cut(this);
        throw error;
      }
    }
  }
  return { Client: HostClient, close: () => watch.close() };
}
