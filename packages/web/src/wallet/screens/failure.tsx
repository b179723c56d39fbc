import type { BrandLook, PageView } from "@countersign/contract/wallet";
import { Mark } from "../../ui/end-picture.tsx";
import { Close } from "../close.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { sharedSoFar } from "../sharing-state.ts";
import { detailName } from "../values.tsx";
import type { Words } from "../words-en.ts";
import { type End, ends, mayEnter, mustReload, startsAgain } from "./ends.ts";

export function FailureMark({ end }: { end: End }) {
  return <Mark kind={ends[end].mark} />;
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
  const { goesOn } = ends[end];
  const isUnsure = end === "over" && sharedSoFar() === "unknown" && !embedded;
  const restart = embedded && close !== undefined ? next.close : next.restart;
  const without = goesOn === "restart" || embedded ? restart : next.goOn;
  const mayType = mayEnter(end, { embedded, brand });
  const onward = leads ? onwardText(words, { end, brand, mayType }) : without;
  const summary = sentence(words, { end, brand, missing });
  // How to continue stands next to the button.
  const texts = isUnsure ? [next.restartUnsure] : [summary, onward];
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
  if (end === "risk" && brand !== undefined) return next.see;
  return end === "elsewhere" ? next.otherwise : "";
}

function sentence(words: Words, { end, brand, missing = [] }: About): string {
  const { tells } = ends[end];
  if (brand !== undefined) {
    if (tells === "requires") {
      const names = missing.map((detail) => detailName(words, detail));
      const what = names.length < 2 ? undefined : new Intl.ListFormat(words.language).format(names);
      // After this end the brand gets no rating of the phone.
      const anyway = brand.anyway === "nothing" ? "nothing" : "phone";
      return `${words.requires(brand.name, what)} ${words.declinedText[anyway](brand.name)}`;
    }
    const stillGets = words.declinedText[brand.anyway](brand.name);
    if (tells === "refused") return `${words.soFar.nothing} ${stillGets}`.trim();
    if (tells === "stillGets") return stillGets;
  }
  const texts: Partial<Record<End, string>> = words.endTexts;
  const text = texts[end] ?? "";
  if (tells === "notShared") return `${text}${words.soFar.nothing}`.trim();
  return tells === "sharedSoFar" ? `${text}${words.soFar[sharedSoFar()]}`.trim() : text;
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
  const proceed = brand === undefined ? words.proceed : words.proceedTo(brand.name);
  return (
    <a class={isMain ? "button main" : "button"} href={href}>
      {isMain ? (startsAgain(end) ? words.startAgain : proceed) : words.optOut}
    </a>
  );
}

type Props = About & { word?: string; backUrl?: string; reference?: string; onRetry?(): void };

export function FailureScreen({ end, brand, missing = [], word, backUrl, reference, onRetry }: Props) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const mayRetry = onRetry !== undefined && ends[end].retries === true;
  const [only, ...more] = missing;
  const title =
    end === "missing" && only !== undefined && more.length === 0
      ? words.missingNamed(detailName(words, only))
      : words.endTitles[end];
  return (
    <Frame step="error" title={title} brand={brand} word={word} mark={<FailureMark end={end} />}>
      <FailureText
        {...{ end, brand, missing }}
        leads={mayRetry || (embedded ? !mustReload(end, brand) : backUrl !== undefined)}
      />
      <div class="actions">
        {mayRetry ? (
          <button type="button" class="button main" onClick={onRetry}>
            {words.tryAgain}
          </button>
        ) : (
          <Close mustReload={mustReload(end, brand)} />
        )}
        {backUrl === undefined ? null : <BackLink end={end} brand={brand} href={backUrl} isMain={!mayRetry} />}
        {brand === undefined && ends[end].manages === true && !embedded ? (
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
