import type { PageView } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";
import { Mark } from "../../ui/end-picture.tsx";
import { nextHourText } from "../account/dates.ts";
import { Close } from "../close.tsx";
import { Frame } from "../frame.tsx";
import { useHost } from "../host.ts";
import { useLanguage } from "../language.tsx";
import { hasLeft, markLeft } from "../session.ts";
import { labelOf } from "../values.tsx";

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
  const mayType = outcome === "declined" && brand.manualSignup !== "hide" && (embedded || redirectUrl !== undefined);
  const animated = outcome !== "declined" && brand.successAnimation === "full";
  return (
    <Frame
      step="done"
      title={title}
      brand={brand}
      word={outcome === "insured" || outcome === "uninsured" ? "Health" : view.title}
      mark={<Mark kind={pictureOf(outcome)} animated={animated} />}
    >
      {isShared ? (
        <Receipt view={view} outcome={outcome} />
      ) : (
        <p class="lead">
          {(outcome === "declined" ? words.declinedText[brand.anyway] : words.returnedText)(brand.name)}
        </p>
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
        {outcome === "declined" ? (
          <a class="link" href="/" target="_blank" rel="noopener">
            {words.manage}
            <span class="hidden"> {words.newTab}</span>
          </a>
        ) : null}
      </div>
    </Frame>
  );
}

const pictureOf = (outcome: PageView["outcome"]) =>
  outcome === "declined" ? "declined" : outcome === "verified" || outcome === "returned" ? "proven" : "done";
const sharing: readonly PageView["outcome"][] = ["shared", "insured", "uninsured"];

/** The receipt: what the brand can read, until when, and how to undo it. */
function Receipt({ view, outcome }: { view: PageView; outcome: PageView["outcome"] }) {
  const { words } = useLanguage();
  const { brand, shared } = view;
  const names = (shared?.details ?? []).map((detail) => labelOf(words, detail));
  const all = outcome === "insured" ? [...names, words.insuranceLabel] : names;
  const until = shared === undefined ? undefined : nextHourText(shared.readableUntil, words.language);
  return (
    <>
      <p class="lead">
        {words.sharedText(brand.name, until)}
        {outcome === "uninsured" ? ` ${words.uninsured}` : null}
      </p>
      <section class="receipt" aria-label={words.receiptTitle}>
        {all.length === 0 ? null : (
          <ul class="ticked">
            {all.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        )}
        <p class="undo">
          {words.undo}{" "}
          <a href="/" target="_blank" rel="noopener">
            {words.manage}
            <span class="hidden"> {words.newTab}</span>
          </a>
        </p>
      </section>
    </>
  );
}

function leave(page: string | null, redirectUrl: string): void {
  markLeft(page);
  window.location.assign(redirectUrl);
}
