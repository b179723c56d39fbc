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
/** Ends after which the person must start again. After the others, they continue at the brand without us. */
const restarts: readonly End[] = ["expired", "attempts", "stopped", "elsewhere", "over", "unknown"];

/** Ends that can occur before and after a release. */
const anyTime: readonly End[] = ["over", "broken"];

/** Ends that nobody caused by an error, including a failed security check of a number. */
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
  /** Whether there is a button that continues. Otherwise the text says how to continue. */
  leads: boolean;
};

/** Tells what happened to the details, what the brand gets, and what to do next. */
export function FailureText({ end, brand, missing, leads }: TextProps) {
  const { words } = useLanguage();
  const { embedded, close } = useHost();
  const { next } = words;
  const isUnsure = end === "over" && sharedSoFar() === "unknown" && !embedded;
  const restart = embedded && close !== undefined ? next.close : next.restart;
  const without = restarts.includes(end) || embedded ? restart : next.goOn;
  const isTyped = untold.includes(end) || (embedded && end === "attempts");
  const mayType = isTyped && brand !== undefined && brand.manualSignup !== "hide";
  const onward = leads ? onwardText(words, { end, brand, mayType }) : without;
  const told = sentence(words, { end, brand, missing });
  // How to continue comes before what the brand gets.
  const isOnwardFirst = mayType && leads && afterPhone.includes(end);
  const texts = isUnsure ? [next.restartUnsure] : isOnwardFirst ? [onward, told] : [told, onward];
  return (
    <div class="lead" role="alert">
      {texts.map((text) => (text === "" ? null : <p key={text}>{text}</p>))}
    </div>
  );
}

/** What to do next, above a button that continues. */
function onwardText(
  { next }: Words,
  { end, brand, mayType }: Pick<About, "end" | "brand"> & { mayType: boolean },
): string {
  if (mayType) return next.enter;
  if (end === "risk" && brand !== undefined) return next.see(brand.name);
  return end === "elsewhere" ? next.otherwise : "";
}

/** Ends after which the brand still gets the phone and its risk rating. */
const afterPhone: readonly End[] = ["risk", "noData", "mismatches"];
/** Ends after which the person can enter the details at the brand. */
const untold: readonly End[] = ["noData", "mismatches", "missing"];
/** Ends whose text says whether details were shared. */
const saysSoFar: readonly End[] = [...anyTime, "expired", "attempts"];

function sentence(words: Words, { end, brand, missing = [] }: About): string {
  if (end === "missing" && brand !== undefined) {
    const names = missing.map((detail) => detailName(words, detail));
    const what = names.length < 2 ? undefined : new Intl.ListFormat(words.language).format(names);
    return words.requires(brand.name, what);
  }
  if (end === "risk" && brand !== undefined) return words.refusedText(brand.name);
  if (afterPhone.includes(end) && brand !== undefined) return words.declinedText(brand.name);
  const texts: Partial<Record<End, string>> = words.endTexts;
  const known = anyTime.includes(end) ? sharedSoFar() : "nothing";
  return `${texts[end] ?? ""}${saysSoFar.includes(end) ? words.soFar[known] : ""}`.trim();
}

/** Ends after which the brand's page needs a new session. */
const needsSession: readonly End[] = [...anyTime, "elsewhere", "stopped"];

/** Whether the brand's page cannot continue as it is. Only a session that ended before sharing can be started again. */
export function mustReload(end: End): boolean {
  return needsSession.includes(end) && sharedSoFar() !== "something";
}

type BackProps = {
  end: End;
  brand: BrandLook | undefined;
  href: string;
  /** Whether this is the main button, because there is no retry button. */
  isMain?: boolean;
};

/** The link back to the brand. */
export function BackLink({ end, brand, href, isMain = true }: BackProps) {
  const { words } = useLanguage();
  const isRestart = restarts.includes(end) && (end !== "over" || sharedSoFar() === "nothing");
  const proceed = brand === undefined ? words.proceed : words.proceedTo(brand.name);
  return (
    <a class={isMain ? "button main" : "button"} href={href}>
      {isMain ? (isRestart ? words.startAgain : proceed) : words.optOut}
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
        {backUrl === undefined ? null : <BackLink end={end} brand={brand} href={backUrl} isMain={!mayRetry} />}
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
