import type { BrandLook } from "@countersign/contract/wallet";
import { Mark } from "../../ui/mark.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { sharedSoFar } from "../sharing-state.ts";
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
const restarts: readonly End[] = ["expired", "attempts", "stopped", "elsewhere", "over"];

/** Ends that can occur before and after a release. */
const anyTime: readonly End[] = ["over", "broken"];

/** Ends without any error. */
const calm: readonly End[] = ["noData", "missing", "elsewhere", "over"];

export function endOfCode(code: string): End {
  return ends[code] ?? "broken";
}

/** The icon is red only after an error. */
export function FailureMark({ end }: { end: End }) {
  return <Mark kind={calm.includes(end) ? "none" : "bad"} />;
}

/** Explains what happened and what to do next. */
export function FailureText({ end, brand }: { end: End; brand?: BrandLook }) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const { next } = words;
  const advice = embedded
    ? next.framed
    : brand === undefined
      ? next.restartBare
      : (restarts.includes(end) ? next.restart : next.manual)(brand.name);
  return (
    <div class="lead" role="alert">
      <p>
        {words.failures[end].text}
        {anyTime.includes(end) ? words.soFar[sharedSoFar()] : null}
      </p>
      {end === "lost" || end === "broken" ? null : <p>{advice}</p>}
    </div>
  );
}

type Props = { end: End; brand?: BrandLook; word?: string; backUrl?: string; reference?: string; onRetry?(): void };

export function FailureScreen({ end, brand, word, backUrl, reference, onRetry }: Props) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const mayRetry = onRetry !== undefined && (end === "lost" || end === "broken");
  return (
    <Frame step="error" title={words.failures[end].title} brand={brand} word={word} mark={<FailureMark end={end} />}>
      <FailureText end={end} brand={brand} />
      <div class="actions">
        {mayRetry ? (
          <button type="button" class="button main" onClick={onRetry}>
            {words.tryAgain}
          </button>
        ) : null}
        {backUrl === undefined ? null : (
          <a class={mayRetry ? "button" : "button main"} href={backUrl}>
            {brand === undefined ? words.proceed : words.backTo(brand.name)}
          </a>
        )}
        {brand === undefined && end === "over" && !embedded ? (
          <a class="button" href="/">
            {words.manage}
          </a>
        ) : null}
      </div>
      {reference === undefined ? null : <p class="fine">{words.reference(reference)}</p>}
    </Frame>
  );
}
