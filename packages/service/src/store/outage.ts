/** What a failure of the database means: whether it is away, and whether anybody can know what it still did. */

/** A server that is being replaced is not reached, not found, or not there any more. */
const connectionErrors = new Set(
  "ECONNREFUSED ECONNRESET ENOENT EPIPE ERR_STREAM_DESTROYED ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN".split(
    " ",
  ),
);

/** What the pool, the driver and the query builder say of a connection that is gone: in the middle, before, or since. */
const lostConnection =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|connection has been discarded/;
/** What the driver says of a statement that nobody answers. */
const unanswered = "Query read timeout";

export const isUnanswered = (error: unknown) => error instanceof Error && error.message === unanswered;

/** PostgreSQL's classes 57P (it is stopped) and 08, and the driver's connection errors: what was asked may be done. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const isAway = /^(57P|08)/.test(code) || connectionErrors.has(code) || lostConnection.test(error.message);
  return isAway || isUnanswered(error);
}

/** The same, and classes 57 (a statement took too long), 53 (no resources), 58 (disk): whoever asks again may be answered. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    isConnectionLost(error) ||
    /^(53|57|58)/.test(code) ||
    // Read-only, as a standby is until it is promoted.
    code === "25006" ||
    // A deadlock or a serialization failure: the whole request can be repeated.
    ["40P01", "40001"].includes(code)
  );
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
