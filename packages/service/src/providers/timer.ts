/** Timeouts and pauses. Tests replace it with simulated time. */
export type Timer = {
  /** Runs a function after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Resolves after `ms` milliseconds. */
  pause(ms: number): Promise<void>;
};

export const systemTimer: Timer = {
  after(ms, run) {
    const timeout = setTimeout(run, ms);
    return () => clearTimeout(timeout);
  },
  pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
};
