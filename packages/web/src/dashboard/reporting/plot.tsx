import type { Bucketed } from "@countersign/contract/dashboard-reporting";
import { useId } from "preact/hooks";
import { figure, Table } from "../controls/table.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.figures;
/** Size of the drawing in its own units. CSS stretches it to its box, so it contains no text. */
const width = 1_000;
const height = 200;
/** Maximum number of time labels below the drawing. */
const ticksMax = 5;

/** `tone` selects the color: 0 is good, 1 is bad, 2 is in between, and higher numbers have no meaning. */
export type PlotSeries = { label: string; tone: number; counts: readonly number[] };
type Props = { title: string; at: Bucketed["at"]; bucket: "minute" | "hour" | "day"; series: readonly PlotSeries[] };

/** Stacked bars over time, with the same data as a table. */
export function Plot({ title, at, bucket, series }: Props) {
  const id = useId();
  const sums = at.map((_, index) => series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0));
  const all = sums.reduce((sum, one) => sum + one, 0);
  const top = roundedUp(Math.max(1, ...sums));
  return (
    <figure class="plot" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
      </figcaption>
      {all === 0 ? (
        <p class="quiet plot-empty">{say.nothing}</p>
      ) : (
        <>
          <ul class="legend">
            {series.map(({ label, tone }) => (
              <li key={label}>
                <svg class={`tone-${tone}`} viewBox="0 0 10 10" aria-hidden="true">
                  <rect width="10" height="10" rx="2" />
                </svg>
                {label}
              </li>
            ))}
          </ul>
          <div class="plot-box">
            <span class="plot-top">{top.toLocaleString("en-US")}</span>
            <svg
              viewBox={`0 0 ${width} ${height}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={say.summary(title, all)}
            >
              <path class="grid" d={`M0 0.5H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}`} />
              <Bars {...{ at, bucket, series, top }} />
            </svg>
          </div>
          <p class="plot-ticks" aria-hidden="true">
            {ticksOf(at).map((instant) => (
              <span key={instant}>{instantOf(instant, bucket)}</span>
            ))}
          </p>
          <details>
            <summary>{say.asTable(title)}</summary>
            <PlotTable {...{ at, bucket, series, sums }} />
          </details>
        </>
      )}
    </figure>
  );
}

function Bars({ at, bucket, series, top }: Omit<Props, "title"> & { top: number }) {
  const step = width / at.length;
  return (
    <>
      {at.map((instant, index) => {
        let y = height;
        const parts = series.flatMap(({ label, tone, counts }) => {
          const count = counts[index] ?? 0;
          if (count === 0) return [];
          const tall = (count / top) * height;
          y -= tall;
          return [{ label, tone, count, y, tall }];
        });
        if (parts.length === 0) return null;
        const told = parts.map(({ label, count }) => `${label}: ${count}`).join(", ");
        return (
          <g key={instant}>
            <title>{`${instantOf(instant, bucket)} — ${told}`}</title>
            {parts.map((part) => (
              <rect
                key={part.label}
                class={`tone-${part.tone}`}
                x={index * step + step * 0.1}
                y={part.y}
                width={step * 0.8}
                height={part.tall}
              />
            ))}
          </g>
        );
      })}
    </>
  );
}

type TableProps = Omit<Props, "title"> & { sums: readonly number[] };

/** Omits empty buckets. */
function PlotTable({ at, bucket, series, sums }: TableProps) {
  return (
    <Table columns={[say.time, ...series.map(({ label }) => figure(label))]}>
      {at.map((instant, index) =>
        sums[index] === 0 ? null : (
          <tr key={instant}>
            <th scope="row">{instantOf(instant, bucket)}</th>
            {series.map(({ label, counts }) => (
              <td key={label} class="figure">
                {counts[index] ?? 0}
              </td>
            ))}
          </tr>
        ),
      )}
    </Table>
  );
}

/** Rounds up to the next of 1, 2, 5, 10, 20, 50, … */
function roundedUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= count) ?? count;
}

function ticksOf(at: readonly number[]): number[] {
  const step = Math.max(1, Math.ceil(at.length / ticksMax));
  return at.filter((_, index) => index % step === 0);
}

const day = { month: "short", day: "numeric", timeZone: "UTC" } as const;
const days = new Intl.DateTimeFormat("en-US", day);
const minutes = new Intl.DateTimeFormat("en-US", { ...day, hour: "2-digit", minute: "2-digit", hour12: false });

function instantOf(at: number, bucket: Props["bucket"]): string {
  return (bucket === "day" ? days : minutes).format(at);
}
