import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP port in front of a server's Unix socket. It can fall silent, like a machine that loses its network. */
export async function relayTo(socket: string) {
  const ends: Socket[] = [];
  let isSilent = false;
  const server = createServer((near) => {
    near.on("error", () => {});
    ends.push(near);
    if (isSilent) return void near.pause();
    const far = connect(socket);
    far.on("error", () => {});
    ends.push(far);
    near.pipe(far);
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.once("close", () => other.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Stops forwarding without closing the connections. */
    silence() {
      isSilent = true;
      for (const one of ends) one.unpipe().pause();
    },
    close() {
      for (const one of ends) one.destroy();
      server.close();
    },
  };
}
