import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Viewed } from "./api.ts";
import { useLanguage } from "./language.tsx";

/** Announces a running call, and announces a problem at once. The button and the field show both. */
export function Status({ isBusy, trouble, doing }: { isBusy: boolean; trouble: string | undefined; doing?: string }) {
  const { words } = useLanguage();
  return (
    <>
      <Progress text={isBusy ? (doing ?? words.working) : undefined} />
      <Alert text={trouble} />
    </>
  );
}

/** Text for screen readers only, announced when they are idle. */
export function Progress({ text = "" }: { text: string | undefined }) {
  return (
    <p class="hidden" role="status">
      {text}
    </p>
  );
}

/** Text for screen readers only, announced at once. */
export function Alert({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="hidden" role="alert">
      {text}
    </p>
  );
}

/** A problem with a decision, announced at once. It does not move the buttons (`review.css`). */
export function SteadyNotice({ text }: { text: ComponentChildren }) {
  return (
    <div class="above" role="alert">
      {text === undefined ? null : <p class="problem">{text}</p>}
    </div>
  );
}

/** A problem with a button, announced at once. It is below the button, so the button does not move. */
export function Problem({ text }: { text: ComponentChildren }) {
  if (text === undefined) return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** The changed views that took the focus. */
const announced = new WeakSet<Viewed>();

/**
 * Says that the page showed something else when the person decided. It takes the focus once, so that a screen reader
 * reads it and goes on with what the page shows now.
 */
export function ChangedNotice({ view }: { view: Viewed }) {
  const { words } = useLanguage();
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (place.current === null || announced.has(view)) return;
    announced.add(view);
    place.current.focus({ preventScroll: true });
    place.current.scrollIntoView({ block: "center" });
  }, [view]);
  if (view.changed !== true) return null;
  return (
    <p class="notice" tabIndex={-1} ref={place}>
      {words.changedSince}
    </p>
  );
}

/** A problem of a whole screen, announced at once. It scrolls into view, because the screen may be long. */
export function Notice({ text }: { text: ComponentChildren }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), [text]);
  if (text === undefined) return null;
  return (
    <p class="notice" role="alert" ref={place}>
      {text}
    </p>
  );
}
