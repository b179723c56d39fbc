import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, type Outcome } from "../api.ts";
import { words } from "../words.ts";
import { go } from "./navigation.tsx";
import { placeIn, useLoad } from "./page.tsx";
import { type Item, type Known, matching, matchingBrands } from "./palette-items.ts";
import { paletteWords as say } from "./words-palette.ts";

export type PaletteProps = {
  kind: "all" | "brands";
  brand: BrandLine | null;
  path: string;
  /** What was typed before the palette was shown. */
  typed: string;
  onClose(): void;
};

/** Finds pages, brands, keys, calls and test people by typing. */
export function Palette({ kind, brand, path, typed, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(typed);
  const [place, setPlace] = useState(0);
  const [copied, setCopied] = useState("");
  const known = useKnown(brand, path);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  const found = kind === "brands" ? matchingBrands(text, known) : matching(text, known);
  const active = Math.min(place, found.length - 1);
  useEffect(() => document.getElementById(`found-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);
  const choose = (item: Item) => {
    if ("copies" in item)
      return void navigator.clipboard.writeText(item.copies).then(
        () => setCopied(say.copied(item.copies)),
        () => setCopied(""),
      );
    dialog.current?.close();
    // The next page's heading takes the focus only if nothing else has it.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    go(item.to);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = found[active];
    if (event.key === "Enter" && item !== undefined) choose(item);
    else if (step === undefined) return;
    else setPlace((active + step + found.length) % Math.max(1, found.length));
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label={kind === "all" ? say.label : say.brandLabel}
      onClose={onClose}
      closedby="any"
    >
      <input
        class="input"
        role="combobox"
        aria-label={kind === "all" ? say.label : say.brandLabel}
        aria-autocomplete="list"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={active < 0 ? undefined : `found-${active}`}
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        placeholder={kind === "all" ? say.example : say.brandExample}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setPlace(0);
          setCopied("");
        }}
        onKeyDown={press}
      />
      <Found found={found} active={active} onChoose={choose} />
      <p class="palette-help quiet" role="status">
        {found.length === 0 ? (
          known.isLoading ? (
            words.loading
          ) : (
            say.nothing
          )
        ) : copied === "" ? (
          <span class="keyboard-hint">{say.help}</span>
        ) : (
          copied
        )}
      </p>
    </dialog>
  );
}

type FoundProps = { found: readonly Item[]; active: number; onChoose(item: Item): void };

function Found({ found, active, onChoose }: FoundProps) {
  return (
    <div id="found" role="listbox" aria-label={say.results} class="found">
      {found.map((item, place) => (
        <Fragment key={`${item.group} ${item.id}`}>
          {found[place - 1]?.group === item.group ? null : (
            <p role="presentation" class="side-title">
              {say.groups[item.group]}
            </p>
          )}
          <button
            id={`found-${place}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            class="found-item"
            // Keep the focus in the field, which handles the keys.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(item)}
          >
            <span>{item.title}</span>{" "}
            <span class="quiet">{"copies" in item ? `${item.detail ?? ""} · ${say.copy}` : item.detail}</span>
          </button>
        </Fragment>
      ))}
    </div>
  );
}

/** Loads the account's brands, and the current brand's keys and test people. */
function useKnown(brand: BrandLine | null, path: string): Known {
  const { environment, page } = placeIn(path);
  const params = { brand: brand?.uuid ?? "", environment };
  const ofBrand = <Value,>(ask: () => Promise<Outcome<Value>>) => (brand === null ? nothing() : ask());
  const brands = useLoad(() => api.listBrands(), []).state;
  const keys = useLoad(() => ofBrand(() => api.listKeys({ params })), []).state;
  const start = useLoad(() => ofBrand(() => api.readStart({ params })), []).state;
  return {
    isLoading: [brands, keys, start].some(({ kind }) => kind === "loading"),
    brands: brands.kind === "ok" ? brands.value.data : [],
    keys: keys.kind === "ok" && keys.value !== null ? keys.value.data : [],
    people: start.kind === "ok" && start.value !== null ? start.value.testPeople : [],
    brand,
    environment,
    page: page ?? "overview",
  };
}

function nothing(): Promise<Outcome<null>> {
  return Promise.resolve({ kind: "ok", value: null });
}
