import "@fontsource/lato/latin-400.css";
import "@fontsource/lato/latin-700.css";
import "../ui/base.css";
import "../ui/layout.css";
import "../ui/review.css";
import type { PageIntro } from "@countersign/contract/wallet";
import { render } from "preact";
import { App } from "./app.tsx";
import { LanguageProvider } from "./language.tsx";
import { takeAddress } from "./session.ts";

/** What the server wrote into the page, so that the first screen needs no further question. */
type Data = { page: string | null; intro: PageIntro | null; wrongCode?: boolean };

const root = document.getElementById("app");
const data: Data = JSON.parse(document.getElementById("data")?.textContent ?? "{}");
const address = takeAddress();
if (root !== null) {
  root.replaceChildren();
  render(
    <LanguageProvider>
      <App address={address} intro={data.intro} wrongCode={data.wrongCode === true} />
    </LanguageProvider>,
    root,
  );
}
