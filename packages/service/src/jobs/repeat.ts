export type Repeated = {
  /** Waits for the current run, and starts no other. */
  stop(): Promise<void>;
};

/** Runs work regularly, one run at a time. A failure is reported, and the next run tries again. */
export function repeat(everyMs: number, work: () => Promise<void>, onFailure: (error: unknown) => void): Repeated {
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= work()
      .catch(onFailure)
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
