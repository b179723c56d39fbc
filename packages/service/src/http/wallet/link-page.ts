import type { BrandLook } from "@countersign/contract/wallet";
import { type ComponentChildren, h } from "preact";
import type { LinkPage } from "../../domain/verification/link.ts";
import type { Page } from "./html.ts";
import { type Language, words } from "./words.ts";

/** What "Continue" does: prove the phone only, continue to the review, or share what the person agreed to. */
type LinkPurpose = "proof" | "review" | "share";
type LinkPageOptions = {
  brand: BrandLook;
  language: Language;
  purpose: LinkPurpose;
  leadsTo: string | null;
  now: number;
};

/** The page of a texted link: which brand asks for what, and when it asked. The person continues or denies. */
export function linkPage(link: LinkPage, { brand, language, purpose, leadsTo, now }: LinkPageOptions): Page {
  const say = words[language];
  const explanation = { proof: say.linkTells, review: say.linkLeadsOn, share: say.linkShares }[purpose];
  const minutes = Math.floor((now - link.sentAt) / 60_000);
  // A link lives for minutes, so its age is shown instead of a time, which would need a time zone.
  const age = minutes < 1 ? say.justNow : new Intl.RelativeTimeFormat(language).format(-minutes, "minute");
  const sent = h("time", { datetime: new Date(link.sentAt).toISOString() }, age);
  return {
    language,
    brand,
    step: "link",
    title: say.linkTitle(brand.name),
    // Browsers also check redirects after a form against the form's policy.
    formTargets: leadsTo === null ? [] : [new URL(leadsTo).origin],
    content: [
      h("p", { class: "lead" }, say.linkAsks(h("strong", null, brand.name), sent)),
      h("p", { class: "lead" }, explanation(brand.name)),
      choiceForm("continue", { class: "button main" }, say.proceed),
      choiceForm("deny", { class: "button" }, say.deny),
    ],
  };
}

function choiceForm(choice: string, look: { class: string }, label: string): ComponentChildren {
  return h(
    "form",
    { method: "post" },
    h("input", { type: "hidden", name: "choice", value: choice }),
    h("button", look, label),
  );
}

/** A page with one message and a link to the person's own page. */
export function messagePage(base: { language: Language; step: string }, { title, text }: Message): Page {
  const own = h("a", { class: "button", href: "/" }, words[base.language].ownPage);
  const mark = base.step === "done" ? markOf("still", "M17 33l10 10 20-22") : markOf("none still", "M20 32h24");
  return { ...base, mark, title, content: [h("p", { class: "lead" }, text), own] };
}

/** The icons of the wallet's screens (`packages/web/src/ui/mark.tsx`), without their animation. */
function markOf(kind: string, path: string): ComponentChildren {
  const line = { stroke: "currentColor", "stroke-width": 4.5, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return h(
    "svg",
    { class: `mark ${kind}`, viewBox: "0 0 64 64", fill: "none", "aria-hidden": "true" },
    h("circle", { cx: 32, cy: 32, r: 31, fill: "currentColor", opacity: 0.13 }),
    h("path", { d: path, ...line }),
  );
}
type Message = { title: string; text: string };
