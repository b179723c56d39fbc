/** Everything that is stored about the person, as a page to read or print. It works without a script. */
import type { FastifyInstance } from "fastify";
import { type ComponentChildren, h } from "preact";
import type { Card } from "../../domain/account/cards.ts";
import { type Download, download } from "../../domain/account/download.ts";
import type { TimelineEntry } from "../../domain/account/timeline.ts";
import type { Deps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import { signedIn } from "./account.ts";
import type { WebAssets } from "./assets.ts";
import { requireOwnSite } from "./cookie.ts";
import { everythingWords } from "./everything-words.ts";
import { languageOf, sendPage } from "./html.ts";
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
      return sendPage(reply, { language, title, step: "everything", content: pageOf(held, language) }, assets);
    } catch (error) {
      // The person is not signed in, or the proof is too old. The page before this one asks for both.
      if (error instanceof Failure && (error.status === 401 || error.status === 403))
        return await reply.redirect("/", 303);
      throw error;
    }
  });
}

function pageOf(held: Download, language: Language): ComponentChildren {
  const say = everythingWords[language];
  const format = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;
  const time: Timed = (at) => {
    const date = new Date(at);
    return h("time", { datetime: date.toISOString() }, `${date.toLocaleString(language, format)} UTC`);
  };
  const names = new Map(held.brands.map(({ uuid, name }) => [uuid, name]));
  const sections: [string, ComponentChildren[]][] = [
    [say.brands, held.brands.map(({ name, reads, lastAt }) => [name, ": ", say.reads(reads), ", ", time(lastAt)])],
    [say.cards, held.issued.map((card) => cardText(card, say.status[card.status], time))],
    [
      say.shares,
      held.shared.map(({ brandUuid, readableUntil, fields }) => [
        `${names.get(brandUuid) ?? ""}, ${say.until} `,
        time(readableUntil),
        `: ${fields.map(({ title, values }) => `${title} – ${valuesText(values)}`).join("; ")}`,
      ]),
    ],
    [
      say.insurance,
      held.insurance.map(({ brand, foundAt, result }) => [
        brand,
        ", ",
        time(foundAt),
        `: ${result.results.map(({ payer, memberId }) => `${payer.name} ${memberId}`).join("; ")}`,
      ]),
    ],
    [say.record, held.record.map((entry) => entryText(entry, wordOf(say.actions, entry.action), time))],
    [
      say.decisions,
      held.decisions.map(({ at, action, brand, version, words }) => [
        time(at),
        `: ${brand === null ? "" : `${brand}, `}${wordOf(say.decided, action)} (${version})`,
        words !== null && [h("br", null), h("q", null, words)],
      ]),
    ],
  ];
  return [
    h("p", null, say.intro),
    h(
      "p",
      null,
      `${say.phone}: ${held.phone}`,
      h("br", null),
      `${say.since}: `,
      time(held.knownSince),
      h("br", null),
      `${say.made}: `,
      time(held.madeAt),
    ),
    sections.map(([heading, items]) => [
      h("h2", null, heading),
      items.length === 0 ? h("p", null, say.nothing) : h("ul", null, ...items.map((item) => h("li", null, item))),
    ]),
  ];
}

type Timed = (at: number) => ComponentChildren;

/** The word for a name of the record, or else the name itself. */
function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}

function cardText({ title, issuer, issuedAt, values }: Card, status: string, time: Timed): ComponentChildren {
  return [`${title} (${issuer}, `, time(issuedAt), `, ${status}): ${valuesText(values)}`];
}

function valuesText(values: { text: string }[]): string {
  return values.map(({ text }) => text).join(", ");
}

function entryText({ at, brand, types }: TimelineEntry, what: string, time: Timed): ComponentChildren {
  const which = types.map((type) => type.replace(/Credential$/, "")).join(", ");
  const who = brand === undefined ? "" : `${brand.name}, `;
  return [time(at), `: ${who}${what}${which === "" ? "" : ` – ${which}`}`];
}
