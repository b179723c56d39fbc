import type { AccountView, TimelineEntry } from "@countersign/contract/account";
import { languageOfText } from "@countersign/contract/consent";
import { eventText, groupedReads, piecesOf, shownFirst, typeNames } from "@countersign/contract/record-words";
import { versionText } from "@countersign/contract/text-version";
import { useEffect, useRef, useState } from "preact/hooks";
import { CallButton } from "../call-button.tsx";
import { useLanguage } from "../language.tsx";
import { accountApi, receiptPath } from "./account-api.ts";
import { useAccountWords } from "./account-frame.tsx";
import { clockText, dayText, timeText } from "./dates.ts";

/** `view`: a new view reloads the timeline. `first`: number of entries that are shown at first. */
type Props = { brand?: string; view: AccountView; first?: number; onOver(code: string): void };

/** Who received what and when, by day, newest first. For one brand or for all. */
export function Timeline({ brand, view, first = shownFirst, onOver }: Props) {
  const { words } = useLanguage();
  const { say, language } = useAccountWords();
  const [entries, setEntries] = useState<TimelineEntry[]>();
  const [next, setNext] = useState<string>();
  const [isWhole, setWhole] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const latest = useRef(0);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // The button that showed all entries is removed, so the first new entry takes the focus.
    const added = list.current?.children[first];
    if (isWhole && added instanceof HTMLElement) added.focus();
  }, [isWhole]);
  const load = async (before?: string) => {
    latest.current += 1;
    const request = latest.current;
    setBusy(true);
    const outcome = await accountApi.readTimeline({ query: { brand, before } });
    // A reload replaces the calls before it, so ignore their answers.
    if (request !== latest.current) return;
    setBusy(false);
    if (outcome.kind === "trouble") return onOver(outcome.trouble.code);
    setEntries((known = []) => [...(before === undefined ? [] : known), ...outcome.value.entries]);
    setNext(outcome.value.next);
  };
  useEffect(() => {
    void load();
    return () => {
      latest.current += 1;
    };
  }, [brand, view]);
  if (entries === undefined) return null;
  if (entries.length === 0) return <p class="missing">{say.noTimeline}</p>;
  const groups = groupedReads(entries);
  const isCut = !isWhole && groups.length > first;
  const days = groups.map(([entry]) => (entry === undefined ? "" : dayText(entry.at, language)));
  return (
    <>
      <ol class="timeline days" ref={list}>
        {groups.slice(0, isCut ? first : undefined).map((group, at) => (
          <Group key={group[0]?.id} group={group} day={days[at] === days[at - 1] ? undefined : days[at]} view={view} />
        ))}
      </ol>
      {isCut ? (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {next === undefined ? say.showAll(groups.length) : say.showMore}
        </button>
      ) : next === undefined ? null : (
        <CallButton class="link" busy={isBusy ? words.loading : undefined} onClick={() => void load(next)}>
          {say.earlier}
        </CallButton>
      )}
    </>
  );
}

/** Whether the brand can still read data that was shared before this entry. */
function readsEarlier({ at, brand }: TimelineEntry, { shares }: AccountView): boolean {
  return shares.some(({ brandUuid, sharedAt }) => brandUuid === brand?.uuid && sharedAt <= at);
}

type GroupProps = {
  group: TimelineEntry[];
  /** The day, if it is the day's first group. */
  day: string | undefined;
  view: AccountView;
};

function Group({ group, day, view }: GroupProps) {
  const { say, language } = useAccountWords();
  const [entry] = group;
  if (entry === undefined) return null;
  const name = entry.brand?.name ?? "";
  const types = typeNames(entry.types, language);
  return (
    <li tabIndex={-1} class={kindOf(entry.action)}>
      {day === undefined ? null : <h3 class="day">{day}</h3>}
      <p class="what">{group.length > 1 ? say.readTimes(name, group.length) : eventText(say, entry)}</p>
      <p class="about">
        <time dateTime={new Date(entry.at).toISOString()}>{clockText(entry.at, language)}</time>
        {types === "" ? null : ` · ${types}`}
        {types === "" || entry.purpose === undefined ? null : (
          <>
            {" "}
            <span class="whole">{say.purpose(entry.purpose)}</span>
          </>
        )}
      </p>
      {entry.anyway === undefined ? null : <p class="about">{say.declinedStill[entry.anyway](name)}</p>}
      {entry.action === "oneClick.declined" && readsEarlier(entry, view) ? (
        <p class="about">{say.declinedEarlier(name)}</p>
      ) : null}
      {group.length > 1 ? (
        <details>
          <summary>{say.showTimes}</summary>
          <ul>
            {group.map(({ id, at }) => (
              <li key={id}>{timeText(at, language)}</li>
            ))}
          </ul>
        </details>
      ) : null}
      {entry.consent === undefined ? null : <LegalBasis consent={entry.consent} brand={name} />}
    </li>
  );
}

/** Whether the person shared, or a company read. Each has a dot of its own. */
function kindOf(action: string): "shared" | "read" | undefined {
  if (/\.read$/.test(action)) return "read";
  return /\.released$/.test(action) ? "shared" : undefined;
}

/** The text that the person agreed to, and the receipt. */
function LegalBasis({ consent, brand }: { consent: NonNullable<TimelineEntry["consent"]>; brand: string }) {
  const { say, language: shown } = useAccountWords();
  const { uuid, source, version, language, words } = consent;
  const changed = versionText(version, shown);
  const { paragraphs, button } = piecesOf({ words: words ?? "", version, language }, brand);
  const named: Readonly<Record<string, string>> = say.languages;
  const file = (
    <a href={receiptPath(uuid)} download="countersign-receipt.json">
      {say.receipt}
    </a>
  );
  const isSeen = source === "wallet";
  if (!isSeen && words === undefined)
    return (
      <p class="about">
        {say.brandStated(brand, changed)} {file}
      </p>
    );
  const origin = (
    <p class="about">
      {button === undefined ? null : `${say.chosen(button)} `}
      {language !== undefined ? `${say.wordsVersion(changed, named[language] ?? language)} · ` : null}
      {file}
    </p>
  );
  if (isSeen && paragraphs.length === 0) return origin;
  return (
    <details>
      <summary>{isSeen ? say.textSeen : say.textStated}</summary>
      {isSeen ? null : <p>{say.brandStated(brand, changed)}</p>}
      {paragraphs.length === 0 ? null : (
        <blockquote lang={language === undefined ? undefined : languageOfText(language)}>
          {paragraphs.map((text) => (
            <p class="quoted" key={text}>
              {text}
            </p>
          ))}
        </blockquote>
      )}
      {origin}
    </details>
  );
}
