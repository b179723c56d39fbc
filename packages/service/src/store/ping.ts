import type pg from "pg";

/** How long a probe waits for the database. Health probes usually give up after one second, so it answers earlier. */
const pingAnswerMs = 800;
/** The driver gives up on an unanswered query after 5 s. The next probe then tries another connection. */
const probe = { text: "select 1", query_timeout: 5_000 };

/**
 * Checks whether the database answers. Only one query runs at a time, so that probes of a stopped database do not use
 * up the pool's connections.
 */
export function openPing(pool: pg.Pool): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return async () => {
    running ??= pool
      .query(probe)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = null;
      });
    const timeout = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => timeout.resolve(false), pingAnswerMs);
    const isAnswered = await Promise.race([running, timeout.promise]);
    clearTimeout(timer);
    return isAnswered;
  };
}
