import type { BrandLook } from "@countersign/contract/wallet";
import type { LinkPage } from "../../domain/verification/link.ts";
import { type Page, plain } from "./html.ts";
import { type Language, words } from "./words.ts";

/** What "Continue" leads to: nothing but the proof, the person's own review, or what they agreed to at the brand's. */
export type LinkPurpose = "proof" | "review" | "share";
type About = { brand: BrandLook; language: Language; purpose: LinkPurpose; leadsTo: string | null };

/** What a link of a text opens: who asks, for what, since when; and the two things the person can do. */
export function linkPage(link: LinkPage, { brand, language, purpose, leadsTo }: About): Page {
  const say = words[language];
  const tells = { proof: say.linkTells, review: say.linkLeadsOn, share: say.linkShares }[purpose];
  const name = plain(brand.name);
  const at = new Date(link.sentAt).toISOString();
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const sent = `<time datetime="${at}">${new Date(link.sentAt).toLocaleString(language, format)} UTC</time>`;
  return {
    language,
    brand,
    step: "link",
    title: say.linkTitle(brand.name),
    // A browser holds the redirect that follows a form against the form's policy.
    formTargets: leadsTo === null ? [] : [new URL(leadsTo).origin],
    html: `<p class="lead">${say.linkAsks(`<strong>${name}</strong>`, sent)}</p>
<p class="lead">${tells(name)}</p>
<form method="post"><input type="hidden" name="choice" value="continue"><button class="button main">${say.proceed}</button></form>
<form method="post"><input type="hidden" name="choice" value="deny"><button class="button">${say.deny}</button></form>`,
  };
}

/** A page that says one thing. */
export function messagePage(about: { language: Language; step: string; brand?: BrandLook }, text: Message): Page {
  return { ...about, title: text.title, html: `<p class="lead">${plain(text.text)}</p>` };
}
type Message = { title: string; text: string };
