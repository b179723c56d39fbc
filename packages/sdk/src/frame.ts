import { matches } from "./color-scheme.ts";

/** Limits for the height that the frame requests, in CSS pixels. */
const heightMin = 320;
const heightMax = 4000;
const widthMax = 440;
/** The radius of the card that the frame shows, in CSS pixels. */
const cornerRadius = 14;

const permissions = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";

export type Frame = {
  readonly iframe: HTMLIFrameElement;
  /** Starts to load the frame. It stays hidden behind the loading state. */
  load(address: string): void;
  /** Ends the loading state without showing the frame. */
  stopWaiting(): void;
  show(): void;
  resize(height: number): void;
  remove(): void;
};

/**
 * Adds a frame to the page. It sets styles only through the style property, because a page's content security policy
 * may forbid style attributes and style sheets.
 */
export function mountFrame(place: Element, locale?: string): Frame {
  const box = document.createElement("div");
  const loader = loadingState(locale);
  const iframe = document.createElement("iframe");
  box.dataset.countersign = "";
  box.setAttribute("aria-busy", "true");
  Object.assign(box.style, {
    position: "relative",
    width: "100%",
    maxWidth: `${widthMax}px`,
    minHeight: `${heightMin}px`,
    margin: "0 auto",
  });
  iframe.title = "Countersign";
  // Keyboards may offer the texted code inside the frame, and the browser may ask for a state ID there.
  iframe.allow = "otp-credentials; digital-credentials-get";
  iframe.referrerPolicy = "no-referrer";
  iframe.setAttribute("sandbox", permissions);
  Object.assign(iframe.style, {
    display: "block",
    width: "100%",
    height: `${heightMin}px`,
    border: "0",
    borderRadius: `${cornerRadius}px`,
    visibility: "hidden",
  });
  box.append(loader);
  place.append(box);
  const stopWaiting = () => {
    loader.remove();
    box.setAttribute("aria-busy", "false");
  };
  return {
    iframe,
    load(address) {
      // Set the URL first: a frame that is attached without one adds an entry to the page's history.
      iframe.src = address;
      box.append(iframe);
    },
    stopWaiting,
    show() {
      stopWaiting();
      iframe.style.visibility = "visible";
    },
    resize(height) {
      iframe.style.height = `${Math.ceil(Math.min(heightMax, Math.max(heightMin, height)))}px`;
    },
    remove: () => box.remove(),
  };
}

function loadingState(locale = ""): HTMLElement {
  const loader = document.createElement("div");
  loader.setAttribute("role", "progressbar");
  loader.setAttribute("aria-label", /^es\b/i.test(locale) ? "Cargando" : "Loading");
  Object.assign(loader.style, {
    position: "absolute",
    inset: "0",
    width: "40px",
    height: "40px",
    margin: "auto",
    boxSizing: "border-box",
    border: "4px solid",
    borderRightColor: "transparent",
    borderRadius: "50%",
    opacity: "0.5",
  });
  if (!matches("(prefers-reduced-motion: reduce)"))
    loader.animate?.({ rotate: ["0turn", "1turn"] }, { duration: 1000, iterations: Number.POSITIVE_INFINITY });
  return loader;
}
