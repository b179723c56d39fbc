import { useState } from "preact/hooks";
import { Button } from "../controls/button.tsx";
import { Select } from "../controls/controls.tsx";
import { Instant } from "../controls/filter-form.tsx";
import { putQuery, useQuery } from "../frame/navigation.tsx";
import { words } from "../words.ts";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.analytics;
const ranges = ["auto", "hour", "day", "week", "month", "quarter"] as const;
const buckets = ["minute", "hour", "day"] as const;
type Bucket = (typeof buckets)[number];
export type RangeQuery = { range: (typeof ranges)[number] } | { from: string; to: string; bucket: Bucket };

/** The range in the URL: by its name, or from one instant to another. */
export function rangeIn(query: URLSearchParams): RangeQuery {
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""];
  const isInstant = (one: string) => /^[0-9]{1,15}$/.test(one);
  const bucket = buckets.find((one) => one === query.get("bucket")) ?? "hour";
  if (isInstant(from) && isInstant(to)) return { from, to, bucket };
  return { range: ranges.find((one) => one === query.get("range")) ?? "auto" };
}

/** The text of an `Instant` in UTC. */
const utcOf = (millis: string) => (millis === "" ? "" : new Date(Number(millis)).toISOString().slice(0, 16));

type Typed = { from: string; to: string; bucket: Bucket };

/** Chooses the range of the charts, which the URL keeps. */
export function RangeForm() {
  const range = rangeIn(useQuery());
  const [isOwn, setOwn] = useState("from" in range);
  const [typed, setTyped] = useState<Typed>({ from: "", to: "", bucket: "hour", ...range });
  const choose = (value: string) => {
    setOwn(value === "own");
    if (value !== "own") putQuery({ range: value });
  };
  return (
    <form
      class="range"
      aria-label={say.range}
      onSubmit={(event) => {
        event.preventDefault();
        putQuery({ from: typed.from, to: typed.to, bucket: typed.bucket });
      }}
    >
      <Select
        id="range"
        label={say.range}
        isLabelHidden
        value={isOwn || !("range" in range) ? "own" : range.range}
        choices={say.ranges}
        onChange={choose}
      />
      {isOwn ? (
        <>
          {(["from", "to"] as const).map((name) => (
            <Instant
              key={name}
              id={name}
              label={words.filter[name]}
              value={utcOf(typed[name])}
              onInput={(value) => setTyped({ ...typed, [name]: value === "" ? "" : String(Date.parse(`${value}Z`)) })}
            />
          ))}
          <Select
            id="bucket"
            label={say.bucket}
            value={typed.bucket}
            choices={say.buckets}
            onChange={(value) => setTyped({ ...typed, bucket: buckets.find((one) => one === value) ?? "hour" })}
          />
          <Button label={say.show} type="submit" look="main" disabled={typed.from === "" || typed.to === ""} />
        </>
      ) : null}
    </form>
  );
}
