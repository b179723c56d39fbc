import { type EndPicture, endPictures } from "@countersign/contract/pictures";
import { minuteMs } from "@countersign/contract/time";
import type { BrandLook } from "@countersign/contract/wallet";
import { type ComponentChild, type ComponentChildren, h } from "preact";
import { maskedPhone } from "../../domain/phone.ts";
import type { LinkPage } from "../../domain/verification/link.ts";
import type { HtmlPage } from "./html.ts";
import { type Language, words } from "./words.ts";

/**
 * What "Continue" does: prove the phone, prove it to a brand that can then read the person's details (`read`), continue
 * to the review, or share what the person agreed to.
 */
export type LinkPurpose = "proof" | "read" | "review" | "share";
/** Why "Continue" did nothing: the page that the person pressed had an earlier name or another purpose. */
export type LinkNotice = "renamed" | "changedSince";
type LinkPageOptions = {
  brand: BrandLook;
  language: Language;
  purpose: LinkPurpose;
  leadsTo: string | null;
  now: number;
  notice?: LinkNotice | undefined;
};

/** The page of a texted link: which brand asks for what, and when it asked. The person continues or denies. */
export function linkPage(link: LinkPage, options: LinkPageOptions): HtmlPage {
  const { brand, language, purpose, leadsTo, now, notice } = options;
  const say = words[language];
  const explanation = { proof: say.linkTells, read: say.linkReads, review: say.linkLeadsOn, share: say.linkShares }[
    purpose
  ];
  const minutes = Math.floor((now - link.sentAt) / minuteMs);
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
      h("p", { class: "lead" }, say.linkAsks(h("strong", null, brand.name))),
      h("p", { class: "lead" }, explanation(brand.name)),
      notice === undefined ? null : h("p", { class: "notice", role: "alert" }, say[notice]),
      factsOf([
        [say.website, brand.site],
        [say.sent, sent],
        [say.phone, link.phone === undefined ? undefined : spaced(maskedPhone(link.phone))],
      ]),
      choiceForm({ choice: "continue", brand: brand.name, purpose }, { class: "button main" }, say.proceed),
      choiceForm({ choice: "deny" }, { class: "button" }, say.deny),
    ],
  };
}

/** A masked text with its dots as the applications set them. */
function spaced(text: string): ComponentChild {
  return text.split(/(•+)/).map((part) => (part.startsWith("•") ? h("span", { class: "bullets" }, part) : part));
}

/** Where, when and for which phone the link was asked for, as far as it is known. */
function factsOf(facts: readonly (readonly [name: string, value: ComponentChild | undefined])[]): ComponentChildren {
  return h(
    "dl",
    { class: "list facts" },
    facts.map(
      ([name, value]) =>
        value !== undefined &&
        h("div", { class: "row" }, h("dt", { class: "name" }, name), h("dd", { class: "value digits" }, value)),
    ),
  );
}

function choiceForm(fields: Record<string, string>, look: { class: string }, label: string): ComponentChildren {
  return h(
    "form",
    { method: "post" },
    Object.entries(fields).map(([name, value]) => h("input", { type: "hidden", name, value })),
    h("button", look, label),
  );
}

/** A page with one message and a link to the person's own page. */
export function messagePage(
  base: { language: Language; step: string },
  { title, text }: Message,
  picture: EndPicture,
): HtmlPage {
  const own = h("a", { class: "button", href: "/" }, words[base.language].ownPage);
  return { ...base, mark: drawn(picture), title, content: [h("p", { class: "lead" }, text), own] };
}

/** The picture of an end, as the applications draw it (`packages/web/src/ui/end-picture.tsx`), without its animation. */
export function drawn(name: EndPicture): ComponentChildren {
  const { tone, shapes } = endPictures[name];
  return h(
    "svg",
    { class: `mark ${tone} still`, viewBox: "0 0 120 96", fill: "none", "aria-hidden": "true" },
    shapes.map(([tag, attributes]) => h(tag, attributes)),
  );
}
type Message = { title: string; text: string };
