import type pg from "pg";

/** How long a probe waits for the database: it has answered within the second that probes usually allow. */
export const pingAnswerMs = 800;
/** When a question without an answer is given up, so that a new connection is tried. */
const questionMs = 5_000;

/**
 * Asks whether the database answers. One question is open at a time, so that probes of a stopped database do not take
 * every connection of the pool.
 */
export function openPing(pool: Pick<pg.Pool, "query">, answerMs = pingAnswerMs): () => Promise<boolean> {
  let question: Promise<boolean> | null = null;
  const ask = (): Promise<boolean> =>
    pool.query({ text: "select 1", query_timeout: questionMs }).then(
      () => true,
      () => false,
    );
  return async () => {
    question ??= ask().finally(() => {
      question = null;
    });
    const { promise: silence, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), answerMs);
    const isAnswered = await Promise.race([question, silence]);
    clearTimeout(timer);
    return isAnswered;
  };
}
