/**
 * Memory settings of a serving process. A full garbage collection takes 60 ms of a core, and every request waits for
 * it. With V8's defaults one ran every second at 700 requests a second; with these settings, one runs every 14 to 32
 * seconds (decision 31).
 */
import { Buffer } from "node:buffer";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How much the heap may grow before the next full collection, in percent. V8's default allowed only a few. */
const heapGrowingPercent = 200;
/** Small buffers share a block of this many bytes, which is freed with the last of them. Node's default is 65,536. */
const bufferBlockBytes = 4_096;

export function tuneMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  // Otherwise V8 allocates some short-lived objects of the driver as old ones. They keep their buffers until a full
  // collection.
  setFlagsFromString("--no-allocation-site-pretenuring");
  Buffer.poolSize = bufferBlockBytes;
}

/** How long after the start the process collects garbage once, in milliseconds. */
const collectAfterMs = 2_000;

/** Collects the garbage of the start: 35 MB, which V8 would otherwise keep while the process is idle. */
export function collectAfterStart(): void {
  const collect = (): void => {
    setFlagsFromString("--expose-gc");
    const found: unknown = runInNewContext("gc");
    setFlagsFromString("--no-expose-gc");
    // Only this kind of collection also returns the memory to the system.
    if (typeof found === "function") found({ type: "major", flavor: "last-resort" });
  };
  setTimeout(collect, collectAfterMs).unref();
}
