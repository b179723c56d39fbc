/** Waiting; a test puts time of its own in the place of the machine's. */
export type Timer = {
  /** Does something later, unless it is called off by what comes back. */
  after(ms: number, run: () => void): () => void;
  /** Resolves after a while. */
  pause(ms: number): Promise<void>;
};

export const systemTimer: Timer = {
  after(ms, run) {
    const timeout = setTimeout(run, ms);
    return () => clearTimeout(timeout);
  },
  pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
};
