import type { AccountBrand, AccountView } from "@countersign/contract/account";
import { firstLetter } from "@countersign/contract/monogram";
import { valueName } from "@countersign/contract/names";
import { useState } from "preact/hooks";
import { useAccountWords } from "./account-frame.tsx";
import { hourText } from "./dates.ts";
import { Stop, stoppedText } from "./stop.tsx";

type Props = {
  view: AccountView;
  onOpen(uuid: string): void;
  onView(view: AccountView, said: string): void;
  onOver(code: string): void;
};
/** What a brand can read: the names of the details, and until when. */
type Line = { brand: AccountBrand; names: readonly string[]; until: number };

/** More brands than this are only in the list below. */
const brandsMax = 5;
/** The height of a row in the picture's own unit. `account.css` gives it in rem. */
const rowHeight = 48;
/** A line's width in pixels: the first, what each read adds, and the reads that count. */
const stroke = { least: 2, perRead: 0.8, readsMax: 6 };
/** The ring around a brand is full if this much time is left, in milliseconds. */
const ringMs = 3_600_000;

/**
 * Who has which detail, as a picture: a line for each detail that a brand can read, thicker the more often it read. The
 * list below says the same in words, so the picture's lines are hidden from screen readers.
 */
export function ConsentMap({ view, onOpen, onView, onOver }: Props) {
  const { say, language } = useAccountWords();
  const [chosen, setChosen] = useState<string>();
  const lines = linesOf(view, language, say.insuranceName).slice(0, brandsMax);
  if (lines.length === 0) return null;
  const names = [...new Set(lines.flatMap((line) => line.names))];
  const rows = Math.max(names.length, lines.length);
  /** The middle of a row of a column whose rows share the height of the picture. */
  const middleOf = (at: number, count: number) => (rowHeight * rows * (at + 0.5)) / count;
  const selected = lines.find(({ brand }) => brand.uuid === chosen);
  return (
    <section class="map" aria-label={say.mapLabel}>
      <ul class="map-column" aria-hidden="true">
        {names.map((name) => (
          <li key={name} class={selected !== undefined && !selected.names.includes(name) ? "dim" : undefined}>
            {name}
          </li>
        ))}
      </ul>
      <div class="map-lines">
        <svg viewBox={`0 0 100 ${rows * rowHeight}`} preserveAspectRatio="none" aria-hidden="true">
          {lines.flatMap(({ brand, names: own }, at) =>
            own.map((name) => {
              const from = middleOf(names.indexOf(name), names.length);
              const to = middleOf(at, lines.length);
              return (
                <path
                  key={`${brand.uuid} ${name}`}
                  class={selected !== undefined && selected.brand !== brand ? "dim" : undefined}
                  d={`M0 ${from}C55 ${from} 45 ${to} 100 ${to}`}
                  stroke-width={stroke.least + stroke.perRead * Math.min(brand.reads, stroke.readsMax)}
                  vector-effect="non-scaling-stroke"
                />
              );
            }),
          )}
        </svg>
      </div>
      <ul class="map-column">
        {lines.map(({ brand, until }) => (
          <li key={brand.uuid} class={selected !== undefined && selected.brand !== brand ? "dim" : undefined}>
            <button
              type="button"
              class="map-brand"
              aria-expanded={chosen === brand.uuid}
              onClick={() => setChosen(chosen === brand.uuid ? undefined : brand.uuid)}
            >
              <Ring share={(until - view.now) / ringMs} letter={firstLetter(brand.name)} />
              <span>
                <span class="hidden">{say.mapChoose} </span>
                <span class="map-name">{brand.name}</span>
                <span class="map-until">{say.mapUntil(hourText(until, language))}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {selected === undefined ? null : (
        <div class="map-choice">
          <p>
            <strong>{selected.brand.name}</strong>
            <br />
            {selected.brand.reads === 0 ? say.notRead : say.reads(selected.brand.reads)}
          </p>
          <button type="button" class="button" onClick={() => onOpen(selected.brand.uuid)}>
            {say.mapMore}
          </button>
          <Stop
            key={selected.brand.uuid}
            brand={selected.brand}
            onView={(next) => onView(next, stoppedText(say, selected.brand.name))}
            onOver={onOver}
          />
        </div>
      )}
    </section>
  );
}

/** A brand's letter, and around it how much of an hour is left. */
function Ring({ share, letter }: { share: number; letter: string }) {
  return (
    <svg class="ring" viewBox="0 0 40 40" aria-hidden="true">
      <circle cx="20" cy="20" r="17" />
      <circle
        class="left"
        cx="20"
        cy="20"
        r="17"
        pathLength={100}
        stroke-dasharray={`${Math.min(1, Math.max(0, share)) * 100} 100`}
        transform="rotate(-90 20 20)"
      />
      <text x="20" y="25.5" text-anchor="middle">
        {letter}
      </text>
    </svg>
  );
}

function linesOf({ brands, shares }: AccountView, language: "en" | "es", insurance: string): Line[] {
  return brands.flatMap((brand) => {
    const own = shares.filter((one) => one.brandUuid === brand.uuid);
    const names = own.flatMap(({ fields }) => fields.map(({ key, title }) => valueName(key, title, language)));
    if (brand.insuranceUntil !== undefined) names.push(insurance);
    const until = Math.max(...own.map(({ readableUntil }) => readableUntil), brand.insuranceUntil ?? 0);
    return brand.canRead && names.length > 0 ? [{ brand, names: [...new Set(names)], until }] : [];
  });
}
