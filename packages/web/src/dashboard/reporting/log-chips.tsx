import { X } from "lucide";
import { Icon } from "../../ui/icon.tsx";
import type { LogQuery } from "./log-filter.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;
const form = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

type Props = {
  query: LogQuery;
  search: string;
  onQuery(query: LogQuery): void;
  onSearch(text: string): void;
};

/** What the log is filtered by. Each part has a button that removes it. */
export function LogChips({ query, search, onQuery, onSearch }: Props) {
  const { status = "", range = "", from = "", to = "" } = query;
  const labelOf = (choices: readonly { value: string; label: string }[], value: string) =>
    choices.find((one) => one.value === value)?.label;
  const time = from === "" && to === "" ? labelOf(say.choices.range, range) : timeOf(from, to);
  const chips = [
    ...(search === "" ? [] : [{ name: "search", text: search, remove: () => onSearch("") }]),
    ...(status === ""
      ? []
      : [
          {
            name: "status",
            text: labelOf(say.choices.status, status),
            remove: () => onQuery({ ...query, status: "" }),
          },
        ]),
    // The fields of a custom time show it already.
    ...(range === "own" || (range === "" && from === "" && to === "")
      ? []
      : [{ name: "time", text: time, remove: () => onQuery({ ...query, range: "", from: "", to: "" }) }]),
  ];
  if (chips.length === 0) return null;
  return (
    <ul class="log-chips" aria-label={say.filteredBy}>
      {chips.map(({ name, text = "", remove }) => (
        <li key={name}>
          <button type="button" class="log-chip" aria-label={say.remove(text)} onClick={remove}>
            {text} <Icon node={X} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function timeOf(from: string, to: string): string {
  const [start, end] = [from, to].map((millis) => (millis === "" ? "" : form.format(Number(millis))));
  if (end === "") return say.since(start ?? "");
  return start === "" ? say.before(end ?? "") : `${start} – ${end}`;
}
