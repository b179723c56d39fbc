import type { PageView } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";
import { Mark } from "../../ui/mark.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { hasLeft, markLeft } from "../session.ts";

/** How long the result is shown before the redirect, in milliseconds. */
const restMs = 1000;

/** Shows the decision and leads back to the brand: automatically the first time, by a button after a return. */
export function DoneScreen({ view, page }: { view: PageView; page: string | null }) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const { brand, outcome = "shared" } = view;
  const redirectUrl = embedded ? undefined : view.redirectUrl;
  const [leaves] = useState(() => redirectUrl !== undefined && !hasLeft(page));
  useEffect(() => {
    if (!leaves || redirectUrl === undefined) return;
    const timer = window.setTimeout(() => leave(page, redirectUrl), outcome === "returned" ? 0 : restMs);
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
      {redirectUrl === undefined ? null : (
        <div class="actions">
          <button type="button" class="button main" onClick={() => leave(page, redirectUrl)}>
            {words.proceed}
          </button>
        </div>
      )}
    </Frame>
  );
}

function leave(page: string | null, redirectUrl: string): void {
  markLeft(page);
  window.location.assign(redirectUrl);
}
