import { joined } from "../store/serial.ts";

export type Repeated = {
  /** Waits for the current run, and starts no other. */
  stop(): Promise<void>;
};

/** Runs work regularly, one run at a time. A failure is reported, and the next run tries again. */
export function repeat(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void): Repeated {
  const run = joined(() => work().catch(onFailure));
  let last: Promise<void> | undefined;
  const timer = setInterval(() => {
    last = run();
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await last;
    },
  };
}
