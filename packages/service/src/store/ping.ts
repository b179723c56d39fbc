import type pg from "pg";

/** How long a probe waits for the database: it has answered within the second that probes usually allow. */
export const pingAnswerMs = 800;
/** The driver gives a question without an answer up after 5 s, so that another connection is tried. */
const asked = { text: "select 1", query_timeout: 5_000 };

/**
 * Asks whether the database answers. One question is open at a time, so that probes of a stopped database do not take
 * every connection of the pool.
 */
export function openPing(pool: pg.Pool): () => Promise<boolean> {
  let question: Promise<boolean> | null = null;
  return async () => {
    question ??= pool
      .query(asked)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        question = null;
      });
    const silence = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => silence.resolve(false), pingAnswerMs);
    const isAnswered = await Promise.race([question, silence.promise]);
    clearTimeout(timer);
    return isAnswered;
  };
}
