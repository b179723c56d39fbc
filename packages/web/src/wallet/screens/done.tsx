import type { PageView } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";
import { Mark } from "../../ui/mark.tsx";
import { hourText } from "../account/dates.ts";
import { Close } from "../close.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { hasLeft, markLeft } from "../session.ts";
import { detailName } from "../values.tsx";

/** How long a result is shown before the redirect, in milliseconds. A decision has more text to read. */
const restMs: Readonly<Record<string, number>> = { returned: 0, verified: 2500 };
const otherRestMs = 4000;

/** Shows the decision and returns to the brand: automatically the first time, by a button if the person comes back. */
export function DoneScreen({ view, page }: { view: PageView; page: string | null }) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const { brand, outcome = "shared" } = view;
  const redirectUrl = embedded ? undefined : view.redirectUrl;
  const [leaves] = useState(() => redirectUrl !== undefined && !hasLeft(page));
  useEffect(() => {
    if (!leaves || redirectUrl === undefined) return;
    const timer = window.setTimeout(() => leave(page, redirectUrl), restMs[outcome] ?? otherRestMs);
    return () => window.clearTimeout(timer);
  }, []);
  const isShared = sharing.includes(outcome);
  const title = isShared ? words.sharedTitle : outcome === "declined" ? words.declinedTitle : words.returnedTitle;
  const mayType = embedded && outcome === "declined" && brand.manualSignup !== "hide";
  const animated = outcome !== "declined" && brand.successAnimation === "full";
  return (
    <Frame
      step="done"
      title={title}
      brand={brand}
      word={view.title}
      mark={<Mark kind={outcome === "declined" ? "none" : "done"} animated={animated} />}
    >
      {isShared ? (
        <SharedText view={view} outcome={outcome} />
      ) : (
        <p class="lead">{(outcome === "declined" ? words.declinedText : words.returnedText)(brand.name)}</p>
      )}
      {mayType ? <p class="lead">{words.next.enter}</p> : null}
      <p class="lead" role="status">
        {redirectUrl === undefined ? (embedded ? "" : words.closePage) : leaves ? words.goingBack : ""}
      </p>
      <div class="actions">
        <Close />
        {redirectUrl === undefined ? null : (
          <button type="button" class="button main" onClick={() => leave(page, redirectUrl)}>
            {words.proceedTo(brand.name)}
          </button>
        )}
        {isShared || outcome === "declined" ? (
          <a class="link" href="/" target="_blank" rel="noopener">
            {words.manage}
            <span class="hidden"> {words.newTab}</span>
          </a>
        ) : null}
      </div>
    </Frame>
  );
}

const sharing: readonly PageView["outcome"][] = ["shared", "insured", "uninsured"];

/** What the brand can read, and until when. */
function SharedText({ view, outcome }: { view: PageView; outcome: PageView["outcome"] }) {
  const { words } = useLanguage();
  const { brand, shared } = view;
  const details = (shared?.details ?? []).map((detail) => detailName(words, detail));
  const all = outcome === "insured" && details.length > 0 ? [...details, words.insurance] : details;
  const what = all.length === 0 ? undefined : new Intl.ListFormat(words.language).format(all);
  const until = shared === undefined ? undefined : hourText(shared.readableUntil, words.language);
  return (
    <p class="lead">
      {words.sharedText(brand.name, what, until)}
      {outcome === "uninsured" ? ` ${words.uninsured}` : null}
    </p>
  );
}

function leave(page: string | null, redirectUrl: string): void {
  markLeft(page);
  window.location.assign(redirectUrl);
}
