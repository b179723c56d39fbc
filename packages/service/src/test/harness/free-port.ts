import { once } from "node:events";
import { createServer } from "node:net";

/**
 * By default, systems choose ports from here on for connections and for `listen(0)`. A free one could be taken
 * between its choice and its use.
 */
const chosenBySystems = 32_768;
const lowest = 20_000;
/** Test files run in parallel, so each process starts its search elsewhere. */
let next = lowest + ((process.pid * 7) % (chosenBySystems - lowest));

/** Returns a port of this machine that nobody uses, for a program that must know its port before it starts. */
export async function freePort(): Promise<number> {
  for (let tries = lowest; tries < chosenBySystems; tries += 1) {
    const port = next;
    next = port + 1 < chosenBySystems ? port + 1 : lowest;
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
  throw new Error("every port is in use");
}
