import { useEffect, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Button } from "../controls/button.tsx";
import { Select } from "../controls/controls.tsx";
import { FromTo } from "../controls/filter-form.tsx";
import { FoldedFilters } from "../controls/fold.tsx";
import { words } from "../words.ts";
import { searched } from "./log-query.ts";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;
const choices = ["status", "range"] as const;
/** The filter, as the URL stores it. */
export type LogQuery = Partial<Record<"q" | "status" | "range" | "from" | "to", string>>;

type Props = {
  query: LogQuery;
  search: string;
  isLive: boolean;
  onSearch(text: string): void;
  onQuery(query: LogQuery): void;
  onClear(): void;
  onLive(isLive: boolean): void;
};

/** The search field, the filters, and the live switch of the request log. */
export function LogFilterForm({ query, search, isLive, onSearch, onQuery, onClear, onLive }: Props) {
  const [typed, setTyped] = useState(search);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    setTyped(search);
    setWrong(false);
  }, [search]);
  const isOwn = query.range === "own" || query.from !== undefined || query.to !== undefined;
  const values = { status: query.status ?? "", range: isOwn ? "own" : (query.range ?? "") };
  const choose = (name: (typeof choices)[number], value: string) => {
    const { from: _from, to: _to, ...others } = query;
    onQuery(name === "range" ? { ...others, range: value } : { ...query, [name]: value });
  };
  const isFiltered = search !== "" || Object.values(query).some((value) => value !== "");
  return (
    <form
      class="log-filter"
      aria-label={say.filter}
      onSubmit={(event) => {
        event.preventDefault();
        const isFound = searched(typed) !== null;
        setWrong(!isFound);
        if (isFound) onSearch(typed);
      }}
    >
      <Field
        id="log-search"
        label={say.search}
        isLabelHidden
        error={isWrong ? say.searchWrong : undefined}
        input={{
          type: "search",
          value: typed,
          maxLength: 200,
          autocomplete: "off",
          spellcheck: false,
          placeholder: say.searchExample,
          onInput: (event) => setTyped(event.currentTarget.value),
        }}
      />
      <Button label={say.find} type="submit" />
      <FoldedFilters count={choices.filter((name) => values[name] !== "").length}>
        {choices.map((name) => (
          <Select
            key={name}
            id={`log-${name}`}
            label={say[name]}
            isLabelHidden
            value={values[name]}
            choices={say.choices[name]}
            onChange={(value) => choose(name, value)}
          />
        ))}
        {isFiltered ? <Button label={words.filter.clear} onClick={onClear} /> : null}
        {query.range === "own" ? (
          <div class="own-times">
            <FromTo
              id="log"
              range={{ from: query.from ?? "", to: query.to ?? "" }}
              put={(changed) => onQuery({ ...query, range: "own", ...changed })}
            />
          </div>
        ) : null}
      </FoldedFilters>
      <Button label={say.live(isLive)} look={isLive ? "live on" : "live"} onClick={() => onLive(!isLive)} />
    </form>
  );
}
