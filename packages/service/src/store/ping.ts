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
  let question: Promise<boolean> | undefined;
  return async () => {
    question ??= answers(pool).finally(() => {
      question = undefined;
    });
    const { promise: silence, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), answerMs);
    const isAnswered = await Promise.race([question, silence]);
    clearTimeout(timer);
    return isAnswered;
  };
}

async function answers(pool: Pick<pg.Pool, "query">): Promise<boolean> {
  // The driver takes this option for each query, though its types do not name it.
  const query = { text: "select 1", query_timeout: questionMs };
  try {
    await pool.query(query);
    return true;
  } catch {
    return false;
  }
}
