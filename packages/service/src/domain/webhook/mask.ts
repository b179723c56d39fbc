/** Which parts of a webhook body can be read without an audit entry. */

/** Members of the envelope. Everything else, such as the insurer and the coverage, says something about the person. */
const unmasked = new Set(["event", "type", "test", "healthDataUuid", "sentAt", "timestamp", "status", "data.uuid"]);
const mask = "•••";

/** A copy in which every value that may be personal data is masked. `path`: the path of `body` in the whole body. */
export function masked(body: unknown, path = ""): unknown {
  const below = (key: string) => (path === "" ? key : `${path}.${key}`);
  if (Array.isArray(body)) return body.map((one) => masked(one, below("*")));
  if (typeof body === "object" && body !== null)
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, masked(value, below(key))]));
  return unmasked.has(path) ? body : mask;
}
