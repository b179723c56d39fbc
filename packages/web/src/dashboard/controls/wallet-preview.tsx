import type { BrandSettings, Environment } from "@countersign/contract/brand";
import type { Me } from "@countersign/contract/dashboard";
import { type Preview, type PreviewScreen, previewReady, previewScreens } from "@countersign/contract/preview";
import { type Scheme, themePath } from "@countersign/contract/theme";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { words } from "../words.ts";
import { Segments } from "./segments.tsx";
import { previewWords as say } from "./words-preview.ts";

/** Wait for a pause in typing, so that incomplete edits are not looked up. */
const pauseMs = 300;
/** How long the skeleton covers the frame, in milliseconds. The frame does not report when it is drawn. */
const drawMs = 250;
const schemes: readonly Scheme[] = ["light", "dark"];

/** What the preview shows: edited settings, and their saved version, because a save may change the name or the logo. */
type Look = {
  styling: BrandSettings["styling"];
  requests: BrandSettings["defaultCredentialRequests"];
  version: number;
};
type Props = {
  me: Me;
  brand: string;
  environment: Environment;
  /** Null while the settings load. The wallet's page loads at the same time. */
  look: Look | null;
};

/** A page of the wallet in a frame, with edited settings and the values of a test person. */
export function WalletPreview({ me, brand, environment, look }: Props) {
  const [screen, setScreen] = useState<PreviewScreen>("review");
  const [scheme, setScheme] = useState<Scheme>("light");
  const found = useFields({ brand, environment }, look?.requests ?? null);
  const fields = found ?? [];
  const id = useId();
  const frame = useRef<HTMLIFrameElement>(null);
  // Counts the loads of the frame. The preview must be sent after each one.
  const [loads, setLoads] = useState(0);
  const wallet = me.environments.find((one) => one.environment === environment)?.walletUrl;
  const hasMissing = fields.some(({ mandatory, inputs }) => mandatory === "yes" && inputs.length > 0);
  const screens = previewScreens.filter((one) => one !== "missing" || hasMissing);
  const shown = screen === "missing" && !hasMissing ? "review" : screen;
  useEffect(() => {
    const listener = ({ data, source }: MessageEvent<unknown>) => {
      if (source === frame.current?.contentWindow && data === previewReady) setLoads((count) => count + 1);
    };
    window.addEventListener("message", listener);
    return () => window.removeEventListener("message", listener);
  }, []);
  const text =
    look === null || found === null ? null : JSON.stringify(previewOf(look.styling, { shown, scheme, fields }));
  const isShown = loads > 0 && text !== null;
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setDrawn(true), drawMs);
    return () => clearTimeout(timer);
  }, [isShown]);
  useEffect(() => {
    if (isShown && wallet !== undefined)
      frame.current?.contentWindow?.postMessage(JSON.parse(text), new URL(wallet).origin);
  }, [loads, text]);
  // The frame already shows the first version that was read.
  const first = useRef<number | undefined>(undefined);
  first.current ??= look?.version;
  if (wallet === undefined) return null;
  return (
    <>
      <div class="preview-open">
        <button type="button" class="button" popovertarget={id}>
          {say.title}
        </button>
      </div>
      <aside id={id} popover="auto" class="preview" aria-label={say.title}>
        <button type="button" class="button small preview-close" popovertarget={id} popovertargetaction="hide">
          {words.close}
        </button>
        <div class="preview-bar">
          <Segments
            name="preview-screen"
            label={say.screen}
            value={shown}
            choices={screens.map((one) => [one, say.screens[one]] as const)}
            onChange={(next) => setScreen(next)}
          />
          <Segments
            name="preview-scheme"
            label={say.scheme}
            value={scheme}
            choices={schemes.map((one) => [one, say.schemes[one]] as const)}
            onChange={(next) => setScheme(next)}
          />
        </div>
        <div class={isDrawn ? "device" : "device loading"}>
          <iframe
            key={look === null || look.version === first.current ? "first" : look.version}
            ref={frame}
            title={say.title}
            src={`${wallet}/look/${brand}`}
            sandbox="allow-scripts allow-same-origin"
            tabIndex={-1}
          />
          <Skeleton />
        </div>
        <p class="quiet">{say.note}</p>
      </aside>
    </>
  );
}

type Choices = { shown: PreviewScreen; scheme: Scheme; fields: Preview["fields"] };

function previewOf(styling: Look["styling"], { shown, scheme, fields }: Choices): Preview {
  const { oneClickWord: word, successAnimation } = styling;
  return { screen: shown, scheme, theme: themePath(styling), successAnimation, word, fields };
}

/** Placeholder lines until a screen is shown. */
function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      {["short", "title", "", "", "", "", ""].map((kind, place) => (
        <span key={place} class={`bone ${kind}`} />
      ))}
    </div>
  );
}

/** What a person would review. Null before the first answer. Invalid requests keep the last valid answer. */
function useFields(params: { brand: string; environment: Environment }, requests: Look["requests"] | null) {
  const [fields, setFields] = useState<Preview["fields"] | null>(null);
  const text = JSON.stringify(requests);
  const isFirst = useRef(true);
  useEffect(() => {
    if (requests === null) return;
    let isHere = true;
    const ask = async () => {
      const outcome = await api.previewRequests({ params, body: { requests: JSON.parse(text) } });
      if (isHere) setFields((now) => (outcome.kind === "ok" ? outcome.value.fields : (now ?? [])));
    };
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : pauseMs);
    isFirst.current = false;
    return () => {
      isHere = false;
      clearTimeout(timer);
    };
  }, [text]);
  return fields;
}
