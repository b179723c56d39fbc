import type { ComponentChildren } from "preact";
import { Link } from "../frame/navigation.tsx";
import { Change, type Compared } from "./change.tsx";
import { shareOf } from "./funnels.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.analytics;

export type Part = { part: number; all: number };
type ShareProps = {
  name: string;
  now: Part;
  past: Part | null;
  better: "more" | "less";
  /** The page that shows what the figure counts. */
  to: { path: string; label: string };
};

/** A share of something, compared with an earlier period. */
export function ShareTile({ name, now, past, better, to }: ShareProps) {
  const percent = ({ part, all }: Part) => Math.round((part / all) * 100);
  return (
    <Tile
      name={name}
      value={shareOf(now.part, now.all)}
      compared={
        past === null || past.all === 0 || now.all === 0
          ? null
          : { now: percent(now), before: percent(past), unit: "points", from: shareOf(past.part, past.all), better }
      }
    >
      {now.all === 0 ? (
        say.noneHere
      ) : (
        <>
          {say.of(now.part, now.all)} ·{" "}
          <Link to={to.path} class="tile-link">
            {to.label}
          </Link>
        </>
      )}
    </Tile>
  );
}

type TileProps = { name: string; value: string; compared: Compared | null; children: ComponentChildren };

/** A figure with its name, below a list with the class `tiles`. */
export function Tile({ name, value, compared, children }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span class="quiet">{children}</span>
        {compared === null ? null : <Change {...compared} />}
      </dd>
    </div>
  );
}
