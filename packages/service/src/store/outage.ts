/** Classifies database errors: whether the database is unavailable, and whether the statement may have run anyway. */

/** Errors while a server is being replaced: it can't be reached, its name is unknown, or the connection ends. */
const connectionErrors = new Set(
  "ECONNREFUSED ECONNRESET ENOENT EPIPE ERR_STREAM_DESTROYED ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN".split(
    " ",
  ),
);

/** Messages of the pool, the driver and the query builder about a connection that was lost. */
const lostConnection =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable|connection has been discarded/;
/** The driver's message for a statement that got no answer. */
const unanswered = "Query read timeout";

/** PostgreSQL's code for a write on a read-only server, such as a primary that became a standby. */
const readOnly = "25006";

/** The server did not answer a commit in time, because no standby confirmed it. The change may have been made. */
export class CommitUnconfirmed extends Error {
  override name = "CommitUnconfirmed";
}

/** Something that the service needs is not there now. Another try may succeed without a change of the settings. */
export class Unavailable extends Error {
  override name = "Unavailable";
}

export function isUnanswered(error: unknown): boolean {
  return error instanceof CommitUnconfirmed || (error instanceof Error && error.message === unanswered);
}

/** Whether the connection must be discarded: it does not answer, or its server no longer accepts writes. */
export function isConnectionUseless(error: unknown): boolean {
  return isUnanswered(error) || (error instanceof Error && codeOf(error) === readOnly);
}

/**
 * PostgreSQL's classes 57P (shutdown) and 08, the driver's connection errors, and a server that became read-only. The
 * statement may have run.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const isAway = /^(57P|08)/.test(code) || connectionErrors.has(code) || lostConnection.test(error.message);
  return isAway || isConnectionUseless(error);
}

/**
 * Connection errors, and classes 57 (operator intervention), 53 (resources) and 58 (disk). Also what a server answers
 * to a connection that it refuses: classes 28 (the role) and 3D (the database), and 55000. A retry may succeed.
 */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    isConnectionLost(error) ||
    /^(28|3D|53|57|58|55000)/.test(code) ||
    // A deadlock or a serialization failure. The whole request can be repeated.
    ["40P01", "40001"].includes(code)
  );
}

/** Whether a statement referenced a row that does not exist, or deleted one that is still referenced. */
export function breaksReference(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === "23503";
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
