/** A JSON value with colors. Objects and lists can be folded. */

/** Objects that are folded at first, because they are long and rarely the point. */
const foldedKeys = ["metadata", "benefits"];
const foldedFromDepth = 4;
/** Longer texts, such as an insurer's raw answer, are cut. */
const textMax = 120;

export function Json({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const label = name === undefined ? null : <span class="json-key">"{name}": </span>;
  const entries: [string | undefined, unknown][] | null = Array.isArray(value)
    ? value.map((one) => [undefined, one])
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : null;
  if (entries === null)
    return (
      <div class="json-line">
        {label}
        <span class={`json-${value === null ? "null" : typeof value}`}>{JSON.stringify(shown(name, value))}</span>
        {isSsn(name, value) ? <span class="json-count"> masked here: the server gets all nine digits</span> : null}
      </div>
    );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0)
    return (
      <div class="json-line">
        {label}
        {open}
        {close}
      </div>
    );
  return (
    <details class="json" open={depth < foldedFromDepth && !foldedKeys.includes(name ?? "")}>
      <summary>
        {label}
        {open}
        <span class="json-count">
          {" "}
          {entries.length} {close}
        </span>
      </summary>
      <div class="json-inside">
        {entries.map(([key, one], index) => (
          <Json key={key ?? index} value={one} depth={depth + 1} {...(key === undefined ? {} : { name: key })} />
        ))}
      </div>
      <div class="json-line json-close">{close}</div>
    </details>
  );
}

const isSsn = (name: string | undefined, value: unknown): value is string =>
  name === "ssn" && typeof value === "string" && /^\d{9}$/.test(value);

/** A value as the log shows it: without the first digits of an SSN, and not longer than a few lines. */
function shown(name: string | undefined, value: unknown): unknown {
  if (isSsn(name, value)) return `•••••${value.slice(5)}`;
  if (typeof value !== "string" || value.length <= textMax) return value;
  return `${value.slice(0, textMax)}… (${value.length} characters)`;
}
