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
export type End = keyof Words["failures"];

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
/** Ends after which a new code helps. After the others, the brand's own form helps. */
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

type About = { end: End; brand?: BrandLook; missing?: PageView["missing"] };

/** Explains what happened and what to do next. */
export function FailureText({ end, brand, missing = [] }: About) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const advice = (embedded ? framedAdvice : hostedAdvice)(words, end, brand);
  const isNamed = end === "missing" && brand !== undefined && missing.length > 0;
  return (
    <div class="lead" role="alert">
      <p>
        {isNamed ? missingText(words, brand.name, missing) : words.failures[end].text}
        {anyTime.includes(end) ? words.soFar[sharedSoFar()] : null}
      </p>
      {advice === undefined ? null : (
        <p>
          {advice} {end === "risk" && brand !== undefined ? words.next.help(brand.name) : null}
        </p>
      )}
    </div>
  );
}

/** What the brand gets although the page ended without a decision. */
function Received({ end, brand }: { end: End; brand: string }) {
  const { getsNone, declinedText } = useLanguage().words;
  if (end === "missing") return <p class="fine">{getsNone(brand)}</p>;
  return ["risk", "noData", "mismatches"].includes(end) ? <p class="fine">{declinedText(brand)}</p> : null;
}

function hostedAdvice({ next }: Words, end: End, brand: BrandLook | undefined): string | undefined {
  if (end === "lost" || end === "broken") return undefined;
  if (end === "over" && sharedSoFar() === "unknown") return next.restartUnsure;
  if (brand === undefined) return next.restartBare;
  return (restarts.includes(end) ? next.restart : next.manual)(brand.name);
}

/** In a frame, the person stays on the brand's page. */
function framedAdvice({ next }: Words, end: End): string | undefined {
  // The person tries again with a button.
  if (end === "lost" || end === "expired") return undefined;
  if (end === "elsewhere") return next.otherwise;
  return mustReload(end) ? next.reload : next.framed;
}

/** Whether the brand's page must be loaded again. Only a session that ended before sharing can start again. */
function mustReload(end: End): boolean {
  return anyTime.includes(end) && sharedSoFar() !== "something";
}

/** Closes the frame after a failure. The button names the brand if the person can continue there. */
export function CloseAfter({ end, brand }: { end: End; brand: BrandLook | undefined }) {
  return <Close brand={mustReload(end) ? undefined : brand?.name} />;
}

type Details = NonNullable<PageView["missing"]>;

function missingText(words: Words, brand: string, missing: Details): string {
  const { one, several } = words.missingNamed;
  const names = new Intl.ListFormat(words.language).format(missing.map((detail) => detailName(words, detail)));
  return missing.length === 1 ? one(brand) : several(brand, names);
}

type Props = About & { word?: string; backUrl?: string; reference?: string; onRetry?(): void };

export function FailureScreen({ end, brand, missing = [], word, backUrl, reference, onRetry }: Props) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const mayRetry = onRetry !== undefined && (end === "lost" || end === "broken");
  const [only, ...more] = missing;
  const title =
    end === "missing" && only !== undefined && more.length === 0
      ? words.missingNamed.title(detailName(words, only))
      : words.failures[end].title;
  return (
    <Frame step="error" title={title} brand={brand} word={word} mark={<FailureMark end={end} />}>
      <FailureText end={end} brand={brand} missing={missing} />
      <div class="actions">
        {mayRetry ? (
          <button type="button" class="button main" onClick={onRetry}>
            {words.tryAgain}
          </button>
        ) : (
          <CloseAfter end={end} brand={brand} />
        )}
        {backUrl === undefined ? null : (
          <a class={mayRetry ? "button" : "button main"} href={backUrl}>
            {brand === undefined ? words.proceed : words.backTo(brand.name)}
          </a>
        )}
        {brand === undefined && ["over", "unknown"].includes(end) && !embedded ? (
          <a class="button" href="/">
            {words.manage}
          </a>
        ) : null}
      </div>
      {brand === undefined ? null : <Received end={end} brand={brand.name} />}
      {reference === undefined ? null : <p class="fine">{words.reference(reference)}</p>}
    </Frame>
  );
}
