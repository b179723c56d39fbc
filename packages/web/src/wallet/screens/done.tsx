import type { PageView } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";
import { Mark } from "../../ui/mark.tsx";
import { Close } from "../close.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { hasLeft, markLeft } from "../session.ts";

/** How long a result is shown before the redirect, in milliseconds. A decline says more, so it takes longer to read. */
const restMs: Readonly<Record<string, number>> = { returned: 0, declined: 4000 };
const otherRestMs = 2500;

/** Shows the decision and leads back to the brand: automatically the first time, by a button after a return. */
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
  const titles = {
    shared: words.sharedTitle,
    declined: words.declinedTitle,
    returned: words.returnedTitle,
    verified: words.returnedTitle,
    insured: words.sharedTitle,
    uninsured: words.sharedTitle,
  };
  const texts = {
    shared: words.sharedText,
    declined: words.declinedText,
    returned: words.returnedText,
    verified: words.returnedText,
    insured: words.insuredText,
    uninsured: words.uninsuredText,
  };
  const animated = outcome !== "declined" && brand.successAnimation === "full";
  return (
    <Frame
      step="done"
      title={titles[outcome]}
      brand={brand}
      word={view.title}
      mark={<Mark kind={outcome === "declined" ? "none" : "done"} animated={animated} />}
    >
      <p class="lead">{texts[outcome](brand.name)}</p>
      <p class="lead" role="status">
        {redirectUrl === undefined ? (embedded ? "" : words.closePage) : leaves ? words.goingBack(brand.name) : ""}
      </p>
      <div class="actions">
        <Close brand={brand.name} />
        {redirectUrl === undefined ? null : (
          <button type="button" class="button main" onClick={() => leave(page, redirectUrl)}>
            {words.continueAt(brand.name)}
          </button>
        )}
        {managed.includes(outcome) ? (
          <a class="link" href="/" target="_blank" rel="noopener">
            {words.manage}
            <span class="hidden"> {words.newTab}</span>
          </a>
        ) : null}
      </div>
    </Frame>
  );
}

/** Outcomes after a decision. The person can manage what they share on their own page. */
const managed: readonly string[] = ["shared", "declined", "insured", "uninsured"];

function leave(page: string | null, redirectUrl: string): void {
  markLeft(page);
  window.location.assign(redirectUrl);
}
