import type { BrandLook, PageView } from "@countersign/contract/wallet";
import { Mark } from "../../ui/mark.tsx";
import { Close } from "../close.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { sharedSoFar } from "../sharing-state.ts";
import { detailName } from "../values.tsx";
import type { Words } from "../words-en.ts";

/** The ways in which a page can end without a decision. */
export type End = keyof Words["endTitles"];

const ends: Readonly<Record<string, End>> = {
  OCE007: "missing",
  OCE011: "noData",
  OCE013: "noData",
  OCE015: "over",
  OVER: "over",
  OCE017: "risk",
  OCE019: "mismatches",
  OCV002: "attempts",
  OCV007: "expired",
  LOST: "lost",
};
/** Ends after which a new code helps. After the others, the person continues at the brand without us. */
const restarts: readonly End[] = ["expired", "attempts", "stopped", "elsewhere", "over", "unknown"];

/** Ends that can occur before and after a release. */
const anyTime: readonly End[] = ["over", "broken"];

/** Ends without any error, and a security check that a number did not pass: no one did anything wrong. */
const calm: readonly End[] = ["noData", "missing", "risk", "expired", "elsewhere", "over", "unknown"];

export function endOfCode(code: string): End {
  return ends[code] ?? "broken";
}

/** The icon is red only after an error. */
export function FailureMark({ end }: { end: End }) {
  return <Mark kind={calm.includes(end) ? "none" : "bad"} />;
}

type About = { end: End; brand: BrandLook | undefined; missing?: PageView["missing"] };
type TextProps = About & {
  /** Whether a button leads on. Otherwise the text says how to continue. */
  leads: boolean;
};

/** Says what the brand gets, or what else there is to know. */
export function FailureText({ end, brand, missing, leads }: TextProps) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const { next } = words;
  const isUnsure = end === "over" && sharedSoFar() === "unknown" && !embedded;
  const advice = embedded ? next.reload : restarts.includes(end) ? next.restart : next.goOn;
  const texts = isUnsure
    ? [next.restartUnsure]
    : [sentence(words, { end, brand, missing }), ...(leads ? [] : [advice])];
  return (
    <div class="lead" role="alert">
      {texts.map((text) => (text === "" ? null : <p key={text}>{text}</p>))}
    </div>
  );
}

/** Ends before the brand got anything. */
const beforeAny: readonly End[] = ["expired", "attempts", "missing"];
/** Ends after which the brand still has the phone and its risk rating. */
const afterPhone: readonly End[] = ["risk", "noData", "mismatches"];

function sentence(words: Words, { end, brand, missing = [] }: About): string {
  const texts: Partial<Record<End, string>> = words.endTexts;
  const text = `${texts[end] ?? ""}${anyTime.includes(end) ? words.soFar[sharedSoFar()] : ""}`.trim();
  if (brand === undefined) return text;
  if (end === "missing" && missing.length > 0) {
    const names = missing.map((detail) => detailName(words, detail));
    const what = names.length === 1 ? undefined : new Intl.ListFormat(words.language).format(names);
    return words.getsNoneWithout(brand.name, what);
  }
  if (beforeAny.includes(end)) return words.getsNone(brand.name);
  return afterPhone.includes(end) ? words.declinedText(brand.name) : text;
}

/** Whether the brand's page must be loaded again. Only a session that ended before sharing can start again. */
export function mustReload(end: End): boolean {
  return anyTime.includes(end) && sharedSoFar() !== "something";
}

type BackProps = {
  end: End;
  href: string;
  /** Whether there is no button to try again. */
  isMain?: boolean;
};

/** Leads back to the brand. */
export function BackLink({ end, href, isMain = true }: BackProps) {
  const { words } = useLanguage();
  const isRestart = restarts.includes(end) && (end !== "over" || sharedSoFar() === "nothing");
  return (
    <a class={isMain ? "button main" : "button"} href={href}>
      {isMain ? (isRestart ? words.startAgain : words.proceed) : words.optOut}
    </a>
  );
}

type Props = About & { word?: string; backUrl?: string; reference?: string; onRetry?(): void };

export function FailureScreen({ end, brand, missing = [], word, backUrl, reference, onRetry }: Props) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const mayRetry = onRetry !== undefined && (end === "lost" || end === "broken");
  const [only, ...more] = missing;
  const title =
    end === "missing" && only !== undefined && more.length === 0
      ? words.missingNamed(detailName(words, only))
      : words.endTitles[end];
  return (
    <Frame step="error" title={title} brand={brand} word={word} mark={<FailureMark end={end} />}>
      <FailureText
        {...{ end, brand, missing }}
        leads={mayRetry || (embedded ? !mustReload(end) : backUrl !== undefined)}
      />
      <div class="actions">
        {mayRetry ? (
          <button type="button" class="button main" onClick={onRetry}>
            {words.tryAgain}
          </button>
        ) : (
          <Close mustReload={mustReload(end)} />
        )}
        {backUrl === undefined ? null : <BackLink end={end} href={backUrl} isMain={!mayRetry} />}
        {brand === undefined && ["over", "unknown"].includes(end) && !embedded ? (
          <a class="button" href="/">
            {words.manage}
          </a>
        ) : null}
      </div>
      {end === "risk" && brand !== undefined ? <p class="fine">{words.next.help(brand.name)}</p> : null}
      {reference === undefined ? null : <p class="fine">{words.reference(reference)}</p>}
    </Frame>
  );
}
