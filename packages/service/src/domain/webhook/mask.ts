/** Which parts of a webhook body can be read without an audit entry. */

/** Members of the envelope. Everything else, such as the insurer and the coverage, says something about the person. */
const open = new Set(["event", "type", "test", "healthDataUuid", "sentAt", "timestamp", "status", "data.uuid"]);
const mask = "•••";

/** A copy with the same structure. Masks every value that may be personal data. `path` is where `body` stands. */
export function masked(body: unknown, path = ""): unknown {
  const below = (key: string) => (path === "" ? key : `${path}.${key}`);
  if (Array.isArray(body)) return body.map((one) => masked(one, below("*")));
  if (typeof body === "object" && body !== null)
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, masked(value, below(key))]));
  return open.has(path) ? body : mask;
}
