/** Everything that is held for the person as a page to read or print, without a script. */
import type { FastifyInstance } from "fastify";
import type { Card, Share } from "../../domain/account/cards.ts";
import { type Download, download } from "../../domain/account/download.ts";
import type { TimelineEntry } from "../../domain/account/timeline.ts";
import type { Deps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import { signedIn } from "./account.ts";
import type { WebAssets } from "./assets.ts";
import { requireOwnSite } from "./cookie.ts";
import { everythingWords } from "./everything-words.ts";
import { languageOf, plain, sendPage } from "./html.ts";
import type { Language } from "./words.ts";

export function routesEverything(
  app: FastifyInstance,
  deps: Deps,
  { guard, assets }: { guard: Guard<void>; assets: WebAssets },
): void {
  app.get("/everything", async (request, reply) => {
    await guard(request, reply);
    requireOwnSite(deps, request);
    try {
      const held = await download(deps, await signedIn(deps, request));
      const language = languageOf(request);
      const title = everythingWords[language].title;
      return sendPage(reply, { language, title, step: "everything", html: pageOf(held, language) }, assets);
    } catch (error) {
      // Nobody is signed in any more, or the proof is too old: the page before asks for both.
      if (error instanceof Failure && (error.status === 401 || error.status === 403))
        return await reply.redirect("/", 303);
      throw error;
    }
  });
}

function pageOf(held: Download, language: Language): string {
  const say = everythingWords[language];
  const time: Timed = (at) =>
    `<time datetime="${new Date(at).toISOString()}">${plain(new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }))} UTC</time>`;
  const names = new Map(held.brands.map(({ uuid, name }) => [uuid, name]));
  const sections: [string, string[]][] = [
    [say.brands, held.brands.map((one) => `${plain(one.name)}: ${say.reads(one.reads)}, ${time(one.lastAt)}`)],
    [say.cards, held.issued.map((card) => cardText(card, say.status[card.status], time))],
    [
      say.shares,
      held.shared.map(
        (share) =>
          `${plain(names.get(share.brandUuid) ?? "")}, ${say.until} ${time(share.readableUntil)}: ${shareText(share)}`,
      ),
    ],
    [
      say.insurance,
      held.insurance.map(
        ({ brand, foundAt, result }) =>
          `${plain(brand)}, ${time(foundAt)}: ${result.results.map((plan) => `${plain(plan.payer.name)} ${plain(plan.memberId)}`).join("; ")}`,
      ),
    ],
    [say.record, held.record.map((entry) => entryText(entry, wordOf(say.actions, entry.action), time))],
    [
      say.decisions,
      held.decisions.map(
        ({ at, action, brand, version, words }) =>
          `${time(at)}: ${brand === null ? "" : `${plain(brand)}, `}${plain(wordOf(say.decided, action))} (${plain(version)})${words === null ? "" : `<br><q>${plain(words)}</q>`}`,
      ),
    ],
  ];
  const intro = `<p>${say.intro}</p>\n<p>${say.phone}: ${plain(held.phone)}<br>${say.since}: ${time(held.knownSince)}<br>${say.made}: ${time(held.madeAt)}</p>`;
  return `${intro}\n${sections
    .map(
      ([heading, items]) =>
        `<h2>${heading}</h2>\n${items.length === 0 ? `<p>${say.nothing}</p>` : `<ul>${items.map((item) => `<li>${item}</li>`).join("\n")}</ul>`}`,
    )
    .join("\n")}`;
}

type Timed = (at: number) => string;

/** What is not named here is said as the record says it. */
function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}

function cardText({ title, issuer, issuedAt, values }: Card, status: string, time: Timed): string {
  return `${plain(title)} (${plain(issuer)}, ${time(issuedAt)}, ${status}): ${valuesText(values)}`;
}

function shareText({ fields }: Share): string {
  return fields.map(({ title, values }) => `${plain(title)} – ${valuesText(values)}`).join("; ");
}

function valuesText(values: { title: string; text: string }[]): string {
  return values.map(({ text }) => plain(text)).join(", ");
}

function entryText({ at, brand, types }: TimelineEntry, what: string, time: Timed): string {
  const which = types.map((type) => plain(type.replace(/Credential$/, ""))).join(", ");
  return `${time(at)}: ${brand === undefined ? "" : `${plain(brand.name)}, `}${plain(what)}${which === "" ? "" : ` – ${which}`}`;
}
