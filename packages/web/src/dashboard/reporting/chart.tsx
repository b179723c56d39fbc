import { useId, useState } from "preact/hooks";
import { figure, Table } from "../controls/table.tsx";
import { Link } from "../frame/navigation.tsx";
import { bucketMs, type ChartProps, instantOf, unitOf } from "./chart-series.ts";
import { Drawing } from "./drawing.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.analytics;

/** A chart over time, with the same data as a table. Bars, names and times link to their calls. */
export function Chart(props: ChartProps) {
  const { title, what, at, bucket, series, unit, pathOf } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const id = useId();
  const isEmpty = series.every(({ values }) => values.every((value) => (value ?? 0) === 0));
  const instant = pointed === null ? undefined : at[pointed];
  const whole = { from: at[0] ?? 0, to: (at.at(-1) ?? 0) + bucketMs[bucket] };
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <span class="quiet">{instant === undefined ? say.per(what, bucket) : instantOf(instant, bucket)}</span>
      </figcaption>
      {isEmpty ? (
        <p class="quiet chart-empty">{say.nothing(what)}</p>
      ) : (
        <>
          <ul class="legend">
            {series.map(({ name, label, tone, values, all }) => (
              <li key={name}>
                <svg class={`tone-${tone}`} viewBox="0 0 10 10" aria-hidden="true">
                  <rect width="10" height="10" rx="2" />
                </svg>
                <Link to={pathOf(whole, name)}>{label}</Link>{" "}
                <strong>{unitOf(pointed === null ? all : (values[pointed] ?? null), unit)}</strong>
              </li>
            ))}
          </ul>
          <div
            role="img"
            aria-label={say.summary(
              title,
              series.map(({ label, all }) => `${label} ${unitOf(all, unit)}`),
            )}
          >
            <Drawing {...props} onPoint={setPointed} />
          </div>
          <details>
            <summary>{say.asTable(title)}</summary>
            <ChartTable {...props} />
          </details>
        </>
      )}
    </figure>
  );
}

/** Omits empty buckets. */
function ChartTable({ at, bucket, series, unit, pathOf }: ChartProps) {
  return (
    <Table class="dense" columns={[say.time, ...series.map(({ label }) => figure(label))]}>
      {at.map((instant, index) =>
        series.every(({ values }) => (values[index] ?? 0) === 0) ? null : (
          <tr key={instant}>
            <th scope="row">
              <Link to={pathOf({ from: instant, to: instant + bucketMs[bucket] })}>{instantOf(instant, bucket)}</Link>
            </th>
            {series.map(({ name, values }) => (
              <td key={name} class="figure">
                {unitOf(values[index] ?? null, unit)}
              </td>
            ))}
          </tr>
        ),
      )}
    </Table>
  );
}
