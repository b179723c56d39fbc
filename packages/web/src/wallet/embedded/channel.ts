/** The frame's end of the channel to the SDK (`@countersign/contract/frame`). */
import {
  type FrameErrorReason,
  type FrameHello,
  type FrameKey,
  type FrameResult,
  type FrameStep,
  type FrameTrouble,
  type FrameUuids,
  type FromFrame,
  type frameProducts,
  frameSource,
  type ToFrame,
} from "@countersign/contract/frame";
import type { Host } from "../host.ts";

type Product = (typeof frameProducts)[number];

export type Channel = Host & {
  /** Reports the result. Only the first one is sent. */
  result(result: Omit<FrameResult, "step">): void;
  error(reason: FrameErrorReason, trouble?: FrameTrouble): void;
  /** Reports that a product has completed. Each is reported once. */
  completed(product: Product, uuids: FrameUuids): void;
};

export type Handed = Pick<FrameKey, "sessionKey" | "colorScheme" | "locale"> & { within?: string; channel: Channel };

/** Announces the frame. Resolves with the session key and the channel when the brand's page sends them. */
export function handedKey(): Promise<Handed> {
  return new Promise((resolve) => {
    const listener = (event: MessageEvent<unknown>) => {
      const port = event.ports[0];
      if (event.source !== window.parent || port === undefined || !isKey(event.data)) return;
      window.removeEventListener("message", listener);
      const within = hostOf(event.origin);
      resolve({
        sessionKey: event.data.sessionKey,
        colorScheme: event.data.colorScheme,
        locale: event.data.locale,
        ...(within === undefined ? {} : { within }),
        channel: channelOver(port),
      });
    };
    window.addEventListener("message", listener);
    const hello: FrameHello = { source: frameSource, type: "hello" };
    // Any origin may receive this message. It has no content, and the document's policy decides who may frame it.
    window.parent.postMessage(hello, "*");
  });
}

function isKey(value: unknown): value is FrameKey {
  return (
    typeof value === "object" &&
    value !== null &&
    "source" in value &&
    value.source === frameSource &&
    "type" in value &&
    value.type === "key" &&
    "sessionKey" in value &&
    typeof value.sessionKey === "string" &&
    "colorScheme" in value &&
    (value.colorScheme === "light" || value.colorScheme === "dark") &&
    (!("locale" in value) || value.locale === undefined || typeof value.locale === "string")
  );
}

/** The host of the brand's page, for the last line of a text. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined;
}

function channelOver(port: MessagePort): Channel {
  const say = (message: FromFrame) => port.postMessage(message);
  let step: FrameStep | null = null;
  let since = 0;
  /** The last screen that needed input from the person. */
  let worked: FrameStep = "phone";
  let isSettled = false;
  const completed = new Set<Product>();
  port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
    if (data.type === "focus") focusFirst();
  };
  const leave = () => {
    const now = performance.now();
    if (step !== null)
      say({ type: "event", event: { type: "STEP_TIME_SPENT", step, durationMs: Math.round(now - since) } });
    since = now;
  };
  watchHeight(say);
  return {
    embedded: true,
    at(next) {
      if (next === "loading" || next === step || isSettled) return;
      leave();
      if (step === null) {
        holdWidth();
        say({ type: "ready", height: heightNow() });
        say({ type: "event", event: { type: "SDK_READY" } });
      }
      say({ type: "event", event: { type: "USER_STEP_CHANGE", step: next, previousStep: step } });
      if (next !== "done" && next !== "error") worked = next;
      step = next;
    },
    resent: () => say({ type: "event", event: { type: "VERIFICATION_CODE_RESENT" } }),
    completed(product, uuids) {
      if (completed.has(product)) return;
      completed.add(product);
      say({ type: "event", event: { type: "USER_COMPLETED_PRODUCT", product, ...uuids } });
    },
    result(result) {
      if (isSettled) return;
      leave();
      isSettled = true;
      say({ type: "result", result: { ...result, step: worked } });
    },
    close: () => say({ type: "close" }),
    error: (reason, trouble) => say({ type: "error", reason, ...trouble }),
  };
}

/** Focuses the first control after the brand's page handed over the focus. Links in the consent text are skipped. */
function focusFirst(): void {
  const first = document.querySelector("main :is(input, button)") ?? document.querySelector("main a");
  if (first instanceof HTMLElement) first.focus();
}

function heightNow(): number {
  return Math.ceil(document.getElementById("app")?.getBoundingClientRect().height ?? 0);
}

function watchHeight(say: (message: FromFrame) => void): void {
  const app = document.getElementById("app");
  if (app === null) return;
  new ResizeObserver(() => say({ type: "resize", height: heightNow() })).observe(app);
}

/** Every width of the layout after the first is a multiple of this, in CSS pixels. */
const step = 40;
/** Below this width the frame scrolls sideways, in CSS pixels. */
const narrowest = 280;

/**
 * Keeps the first width of the layout, and follows the window only in steps. Otherwise a brand's page could change the
 * frame's width pixel by pixel, and learn from the heights how wide the letters of each value are.
 */
function holdWidth(): void {
  const app = document.getElementById("app");
  if (app === null) return;
  let width = 0;
  const follow = () => {
    width = widthIn(window.innerWidth, width);
    if (width === 0) return;
    app.style.marginInline = "auto";
    // Browsers may round the window's width up. The layout must not be wider than the window then.
    app.style.width = `min(${width}px, max(100vw, ${narrowest}px))`;
  };
  follow();
  window.addEventListener("resize", follow);
}

/** The width of the layout in a window, after a layout of another width. A hidden frame's window has no width. */
function widthIn(available: number, before: number): number {
  if (available === 0) return before;
  if (before === 0) return available;
  if (available >= before && available < before + step) return before;
  return Math.max(narrowest, Math.floor(available / step) * step);
}
