import "@fontsource/lato/latin-400.css";
import "@fontsource/lato/latin-700.css";
import "../ui/tokens.css";
import "../ui/base.css";
import "../ui/layout.css";
import "../ui/review.css";
import "../ui/state-id.css";
import type { BrandLook, PageIntro } from "@countersign/contract/wallet";
import { options, render } from "preact";
import { App } from "./app.tsx";
import { FrameApp } from "./embedded/frame-app.tsx";
import { LanguageProvider } from "./language.tsx";
import { takeAddress } from "./session.ts";

/** The data that the server writes into the page, so that the first screen needs no call. */
type Data =
  | { page: string | null; intro: PageIntro | null; wrongCode?: boolean }
  | { frame: true }
  | { account: true }
  | { preview: { dashboard: string; brand: BrandLook } };

const root = document.getElementById("app");
const data: Data = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
if (root !== null) {
  root.replaceChildren();
  // No screen needs it before the browser translates, so it is not part of the first load.
  void import("../ui/translation.ts").then(({ followTranslation }) => followTranslation(root, options));
  render(<LanguageProvider>{await applicationOf(data)}</LanguageProvider>, root);
}

async function applicationOf(given: Data) {
  if ("account" in given) {
    // Load the account page's screens separately, because a brand's page does not need them.
    const { AccountApp } = await import("./account/account-app.tsx");
    return <AccountApp />;
  }
  if ("preview" in given) {
    if (root !== null) root.inert = true;
    const { PreviewApp } = await import("./preview.tsx");
    return <PreviewApp {...given.preview} />;
  }
  if (!("frame" in given))
    return <App address={takeAddress()} intro={given.intro} wrongCode={given.wrongCode === true} />;
  document.documentElement.classList.add("framed");
  return <FrameApp />;
}
