import { type Preview, previewReady } from "@countersign/contract/preview";
import { inScheme } from "@countersign/contract/theme";
import type { BrandLook, PageIntro, PageView, ReviewField } from "@countersign/contract/wallet";
import { useEffect, useState } from "preact/hooks";
import { CodeScreen } from "./screens/code.tsx";
import { ViewScreen } from "./screens/view.tsx";
import { applyTheme } from "./theme.ts";

const codeLifeMs = 300_000;
const nothing = () => undefined;

/** The wallet's screens with sample values, for previews in the dashboard. They accept neither focus nor clicks. */
export function PreviewApp({ dashboard, brand: saved }: { dashboard: string; brand: BrandLook }) {
  const [shown, setShown] = useState<Preview | null>(null);
  useEffect(() => {
    let latest: Preview | null = null;
    const listener = ({ data, origin, source }: MessageEvent<Preview>) => {
      if (origin !== dashboard || source !== window.parent) return;
      document.documentElement.style.colorScheme = data.scheme;
      latest = data;
      // A style sheet that loads late must not restore an earlier preview.
      void applyTheme(inScheme(data.theme, data.scheme)).then(() => setShown(latest));
    };
    window.addEventListener("message", listener);
    window.parent.postMessage(previewReady, dashboard);
    return () => window.removeEventListener("message", listener);
  }, []);
  if (shown === null) return null;
  const { screen, word, theme, successAnimation, fields } = shown;
  const brand = { ...saved, theme, successAnimation };
  if (screen === "code") return <CodeScreen key={word} {...codeProps(brand, word)} />;
  const view: PageView = {
    step: screen === "done" ? "done" : "review",
    brand,
    phoneEnding: "0010",
    title: word,
    outcome: "shared",
    fields,
  };
  const shownView = screen === "missing" ? { ...view, fields: withoutFirst(fields) } : view;
  const key = JSON.stringify([screen, fields]);
  return <ViewScreen key={key} session="" page={null} view={shownView} onOutcome={nothing} />;
}

function codeProps(brand: BrandLook, title: string) {
  const intro: PageIntro = {
    brand,
    title,
    state: "open",
    now: 0,
    expiresAt: codeLifeMs,
    textedAt: 0,
    phone: "(•••) •••-0010",
    attemptsRemaining: 3,
    canResend: true,
  };
  return {
    address: { page: "", code: null, redirectUrl: null, walletCode: null },
    intro,
    wrongCode: false,
    onProven: nothing,
  };
}

/** The fields without the first mandatory value that the person may enter, as if it had not been found. */
function withoutFirst(fields: readonly ReviewField[]): ReviewField[] {
  const at = fields.findIndex(({ mandatory, inputs }) => mandatory === "yes" && inputs.length > 0);
  return fields.map((field, index) => (index === at ? { ...field, choices: [] } : field));
}
