import type { AccountView, TimelineEntry } from "@countersign/contract/account";
import { useEffect, useState } from "preact/hooks";
import { useLanguage } from "../language.tsx";
import { accountApi, receiptPath } from "./account-api.ts";
import { useAccountWords } from "./account-frame.tsx";
import type { AccountWords } from "./account-words-en.ts";
import { timeText } from "./dates.ts";

/** `view`: a new view reloads the timeline. */
type Props = { brand?: string; view: AccountView; onOver(code: string): void };

/** Who received what and when, newest first. It shows one brand or all. */
export function Timeline({ brand, view, onOver }: Props) {
  const { say } = useAccountWords();
  const [entries, setEntries] = useState<TimelineEntry[]>();
  const [next, setNext] = useState<string>();
  const load = async (before?: string) => {
    const outcome = await accountApi.readTimeline({ query: { brand, before } });
    if (outcome.kind === "trouble") return onOver(outcome.trouble.code);
    setEntries((known = []) => [...(before === undefined ? [] : known), ...outcome.value.entries]);
    setNext(outcome.value.next);
  };
  useEffect(() => void load(), [brand, view]);
  if (entries === undefined) return null;
  if (entries.length === 0) return <p class="missing">{say.noTimeline}</p>;
  return (
    <>
      <ol class="timeline">
        {grouped(entries).map((group) => (
          <Group key={group[0]?.id} group={group} />
        ))}
      </ol>
      {next === undefined ? null : (
        <button type="button" class="link" onClick={() => void load(next)}>
          {say.earlier}
        </button>
      )}
    </>
  );
}

/** Groups consecutive reads by the same brand. Each read stays visible in its group. */
function grouped(entries: TimelineEntry[]): TimelineEntry[][] {
  const groups: TimelineEntry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const same = first?.action === entry.action && first.brand?.uuid === entry.brand?.uuid;
    if (group !== undefined && same && entry.action === "oneClick.read") group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function Group({ group }: { group: TimelineEntry[] }) {
  const { say, language } = useAccountWords();
  const [entry] = group;
  if (entry === undefined) return null;
  const name = entry.brand?.name ?? "";
  const types = useTypes(entry.types);
  return (
    <li>
      <p class="when">
        <time dateTime={new Date(entry.at).toISOString()}>{timeText(entry.at, language)}</time>
      </p>
      <p class="what">{group.length > 1 ? say.readTimes(name, group.length) : sentence(say, entry.action, name)}</p>
      {types === "" ? null : (
        <p class="about">
          {types}
          {entry.purpose === undefined ? null : (
            <>
              {" "}
              · <span class="whole">{say.purpose(entry.purpose)}</span>
            </>
          )}
        </p>
      )}
      {group.length > 1 ? (
        <details>
          <summary>{say.reads(group.length)}</summary>
          <ul>
            {group.map(({ id, at }) => (
              <li key={id}>{timeText(at, language)}</li>
            ))}
          </ul>
        </details>
      ) : null}
      {entry.consent === undefined ? null : <Ground consent={entry.consent} />}
    </li>
  );
}

function sentence({ events }: AccountWords, action: string, brand: string): string {
  const known: Readonly<Record<string, (brand: string) => string>> = events;
  return known[action]?.(brand) ?? action;
}

/** The text that the person agreed to, and the receipt. */
function Ground({ consent }: { consent: NonNullable<TimelineEntry["consent"]> }) {
  const { say } = useAccountWords();
  const { uuid, source, version, language, words } = consent;
  const named: Readonly<Record<string, string>> = say.languages;
  return (
    <details>
      <summary>{source === "wallet" ? say.whatYouSaw : say.whatItStated}</summary>
      {source === "wallet" ? null : <p>{say.brandStated(version)}</p>}
      {words === undefined ? null : <blockquote lang={language}>{words}</blockquote>}
      <p class="about">
        {source === "wallet" && language !== undefined ? say.wordsVersion(version, named[language] ?? language) : null}{" "}
        <a href={receiptPath(uuid)} download="countersign-receipt.json">
          {say.receipt}
        </a>
      </p>
    </details>
  );
}

/** The names of data types, in one line. */
function useTypes(types: readonly string[]): string {
  const { words } = useLanguage();
  return [...new Set(types.map((type) => typeText(words.labels, type)))].join(", ");
}

function typeText(labels: Readonly<Record<string, string>>, type: string): string {
  const bare = type.replace(/Credential$/, "");
  const key = bare.charAt(0).toLowerCase() + bare.slice(1);
  return labels[key] ?? bare.replace(/([a-z])([A-Z])/g, "$1 $2");
}
