/**
 * The printable page with everything that is stored about a person. A small script shows local times, and unfolds
 * details for printing.
 */
import { languageOfText } from "@countersign/contract/consent";
import { inLine, valueName } from "@countersign/contract/names";
import {
  eventText,
  groupedReads,
  piecesOf,
  type RecordWords,
  recordWords,
  rowsOf,
  sentenceOf,
  shownFirst,
  sourceText,
  typeNames,
  valueText,
} from "@countersign/contract/record-words";
import { versionText } from "@countersign/contract/text-version";
import type { FastifyInstance } from "fastify";
import { type ComponentChildren, h } from "preact";
import { type Download, download } from "../../domain/account/download.ts";
import { accountName } from "../../domain/account/session.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { Failure } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import { requireShownPerson, signedIn } from "./account.ts";
import type { WebAssets } from "./assets.ts";
import { requireOwnSite } from "./cookie.ts";
import { everythingWords } from "./everything-words.ts";
import { languageOf, sendPage } from "./html.ts";
import type { Language } from "./words.ts";

export function routesEverything(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  { guard, assets }: { guard: Guard<void>; assets: WebAssets },
): void {
  app.get("/everything", async (request, reply) => {
    await guard(request, reply);
    try {
      requireOwnSite(homeDeps, request);
      const { deps, account } = await signedIn(homeDeps, request);
      requireShownPerson({ deps, account }, request);
      const data = await download(deps, account);
      const language = languageOf(request);
      const { title, back } = everythingWords[language];
      // Whose values these are and how long the person may see them, for the page's script.
      const shownMs = Math.max(0, (account.provenUntil ?? 0) - deps.clock.now());
      const content = h(
        "div",
        { "data-account": accountName(deps, account), "data-shown-ms": shownMs },
        pageOf(data, language),
      );
      const app = { name: "everything" as const, policy: "; connect-src 'self'" };
      const page = { language, title, step: "everything", look: "own paper", back, content, app };
      return sendPage(reply, page, assets);
    } catch (error) {
      // The person is not signed in, another one is, or the proof is too old. The person's own page says so.
      if (error instanceof Failure && [401, 403, 409].includes(error.status)) return await reply.redirect("/", 303);
      throw error;
    }
  });
}

function pageOf(data: Download, language: Language): ComponentChildren {
  const say = everythingWords[language];
  const sections = sectionsOf(data, language);
  const facts: [string, ComponentChildren][] = [
    [say.phone, valueText("phone", data.phone, language)],
    [say.since, time(data.knownSince, language)],
    [say.made, time(data.madeAt, language)],
  ];
  return [
    h("p", { class: "lead" }, say.intro),
    definitions(facts),
    h("p", { class: "about", "data-zone": say.localZone }, say.zone),
    contents(sections, say.contents),
    sections.map(sectionOf),
  ];
}

type Section = {
  id: string;
  title: string;
  none: string;
  items: ComponentChildren[];
  /** The number of items. Set if one row represents several. */
  count?: number;
  shown: ComponentChildren;
};

function sectionsOf(data: Download, language: Language): Section[] {
  const say = everythingWords[language];
  const words = recordWords[language];
  const rows = (items: ComponentChildren[]) => ({ items, shown: h("ul", { class: "list plain" }, items) });
  const boxes = (items: ComponentChildren[]) => ({ items, shown: items });
  const events = (items: ComponentChildren[]) => ({ items, shown: cut(items, words) });
  return [
    { id: "companies", title: words.brandsTitle, none: words.noBrands, ...rows(brandRows(data, language)) },
    { id: "cards", title: words.cardsTitle, none: words.noCards, ...boxes(cardBoxes(data, language)) },
    { id: "taken", title: say.taken, none: say.noTaken, ...rows(takenRows(data, language)) },
    { id: "shared", title: say.shares, none: say.noShares, ...boxes(shareBoxes(data, language)) },
    {
      id: "insurance",
      title: say.insurance,
      none: say.noInsurance,
      count: data.insurance.reduce((sum, { result }) => sum + result.results.length, 0),
      ...boxes(insuranceBoxes(data, language)),
    },
    { id: "activity", title: words.timelineTitle, none: words.noTimeline, ...events(activity(data, language)) },
    { id: "devices", title: words.devicesTitle, none: "", ...rows(deviceRows(data, language)) },
  ];
}

/** A link to each section, with the number of its items. */
function contents(sections: Section[], title: string): ComponentChildren {
  const links = sections.map(({ id, title, items, count }) =>
    h(
      "li",
      null,
      h(
        "a",
        { href: `#${id}` },
        h("span", null, title),
        " ",
        h("span", { class: "count" }, String(count ?? items.length)),
      ),
    ),
  );
  return h("nav", { class: "contents", "aria-label": title }, h("ul", null, links));
}

function sectionOf({ id, title, none, items, shown }: Section): ComponentChildren {
  const content = items.length === 0 ? h("p", { class: "missing" }, none) : shown;
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), content);
}

/** Shows the newest entries of a long list. The others open on request and for printing. */
function cut(items: ComponentChildren[], { showAll }: RecordWords): ComponentChildren {
  const timeline = (part: ComponentChildren[]) => h("ul", { class: "timeline days" }, part);
  const rest = items.slice(shownFirst);
  return [
    timeline(items.slice(0, shownFirst)),
    rest.length > 0 && h("details", { class: "rest" }, h("summary", null, showAll(items.length)), timeline(rest)),
  ];
}

function definitions(items: [string, ComponentChildren][]): ComponentChildren {
  const rows = items.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)));
  return h("dl", { class: "values" }, rows);
}

const dateStyle = "medium" as const;
const timeStyle = "short" as const;
const formats = { whole: { dateStyle, timeStyle }, day: { dateStyle }, clock: { timeStyle } };

/** A time in UTC. The page's script converts it to the person's time zone. */
function time(at: number, language: Language, as: keyof typeof formats = "whole"): ComponentChildren {
  const date = new Date(at);
  const text = date.toLocaleString(`${language}-US`, { ...formats[as], timeZone: "UTC" });
  return h("time", { datetime: date.toISOString(), "data-as": as }, text);
}

/** A sentence with times at `{0}` and `{1}`. */
function withTimes(sentence: string, language: Language, ...moments: number[]): ComponentChildren {
  return sentence.split(/\{(\d)\}/).map((part, index) => {
    const at = index % 2 === 1 ? moments[Number(part)] : undefined;
    return at === undefined ? part : time(at, language);
  });
}

function titled(name: string, beside: ComponentChildren): ComponentChildren {
  return h("p", { class: "titled" }, h("span", { class: "who" }, name), " ", beside);
}

function tag(text: string, isLive: boolean): ComponentChildren {
  return h("span", { class: isLive ? "tag live" : "tag" }, text);
}

function brandRows({ brands }: Download, language: Language): ComponentChildren[] {
  const say = recordWords[language];
  return brands.map(({ name, reads, lastAt, canRead, stopped }) =>
    h(
      "li",
      { class: "row" },
      titled(name, tag(canRead ? say.canRead : stopped ? say.stopped : say.cannotRead, canRead)),
      reads > 0 && h("p", { class: "about" }, say.reads(reads)),
      h("p", { class: "about" }, withTimes(say.lastOn("{0}"), language, lastAt)),
    ),
  );
}

function cardBoxes({ issued }: Download, language: Language): ComponentChildren[] {
  const say = recordWords[language];
  return issued.map(({ title, issuer, toEmail, issuedAt, expiresAt, status, values }) => {
    const rows = rowsOf({ title, values }, language);
    const name = rows.length === 1 ? (rows[0]?.title ?? title) : title;
    const end = status === "expired" ? say.expiredOn("{0}") : say.expiresOn("{0}");
    return h(
      "article",
      { class: "held" },
      h("h3", { class: "titled" }, name, " ", tag(say.status[status], status === "valid")),
      rows.length === 1
        ? h("p", { class: "value" }, valueText(rows[0]?.key ?? "", rows[0]?.text ?? "", language))
        : definitions(rows.map((row) => [row.title, valueText(row.key, row.text, language)])),
      h(
        "p",
        { class: "about" },
        withTimes(say.issuedBy(issuer, "{0}"), language, issuedAt),
        toEmail && ` ${say.toEmail}`,
        expiresAt === undefined ? "" : ["\u00a0· ", withTimes(end, language, expiresAt)],
      ),
    );
  });
}

function takenRows({ taken }: Download, language: Language): ComponentChildren[] {
  const say = everythingWords[language];
  return taken.map(({ key, title, issuer, takenAt, expiresAt, state }) =>
    h(
      "li",
      { class: "row" },
      h("span", { class: "who" }, valueName(key, title, language)),
      " ",
      tag(say.takenStates[state], state === "valid"),
      h(
        "span",
        { class: "about" },
        issuer === undefined ? "" : `${issuer} · `,
        withTimes(say.takenOn("{0}", "{1}"), language, takenAt, expiresAt),
      ),
    ),
  );
}

function shareBoxes({ shared, brands }: Download, language: Language): ComponentChildren[] {
  const say = recordWords[language];
  const names = new Map(brands.map(({ uuid, name }) => [uuid, name]));
  return shared.map(({ brandUuid, sharedAt, readableUntil, fields }) => {
    const rows = fields.flatMap((field) =>
      rowsOf(field, language).map(({ key, title, text }): [string, ComponentChildren] => {
        // A row is one part of the credential, or all of them.
        const part = field.values.filter((one) => one.key === key);
        const source = sourceText({ ...field, ...(part.length === 0 ? {} : { values: part }) }, language);
        return [title, [valueText(key, text, language), h("span", { class: "about" }, source)]];
      }),
    );
    const name = names.get(brandUuid) ?? "";
    const what = inLine(rows.map(([title]) => title));
    return h(
      "details",
      { class: "held" },
      h("summary", null, h("h3", null, name), h("span", { class: "about" }, what)),
      definitions(rows),
      h(
        "p",
        { class: "about" },
        withTimes(say.sharedAt(name, "{0}", language === "es" ? "el {1}" : "{1}"), language, sharedAt, readableUntil),
      ),
    );
  });
}

function insuranceBoxes({ insurance }: Download, language: Language): ComponentChildren[] {
  const say = everythingWords[language];
  return insurance.map(({ brand, foundAt, result }) =>
    h(
      "article",
      { class: "held" },
      result.results.map(({ payer, memberId }) => [
        h("p", { class: "who" }, payer.name),
        memberId !== "" && h("p", { class: "value" }, `${say.memberId} `, h("span", { class: "id" }, memberId)),
      ]),
      h("p", { class: "about" }, withTimes(say.foundFor(brand, "{0}"), language, foundAt)),
    ),
  );
}

/**
 * The record and the decisions as one timeline by day, newest first. Consecutive reads of the same data by one brand
 * are one item with all their times. Each item has its day, because the page's script must find the first item of each
 * day in the person's time zone.
 */
function activity({ record, decisions }: Download, language: Language): ComponentChildren[] {
  const recorded = new Set(record.map(({ consent }) => consent?.uuid));
  const events = groupedReads(record).map((group) => ({ at: group[0]?.at ?? 0, item: eventItem(group, language) }));
  const others = decisions
    .filter(({ uuid }) => !recorded.has(uuid))
    .map((decision) => ({ at: decision.at, item: decisionItem(decision, language) }));
  const all = [...events, ...others].sort((a, b) => b.at - a.at);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return all.map(({ at, item }, index) => {
    const before = all[index - 1];
    const hidden = before !== undefined && dayOf(before.at) === dayOf(at);
    return h("li", null, h("h3", { class: "day", hidden }, time(at, language, "day")), item);
  });
}

function eventItem(group: Download["record"], language: Language): ComponentChildren {
  const say = recordWords[language];
  const { action, brand, types, consent, anyway } = group[0] ?? { action: "", types: [] };
  const name = brand?.name ?? "";
  const isOne = group.length === 1;
  return [
    h("p", { class: "what" }, isOne ? eventText(say, { action, brand, consent }) : say.readTimes(name, group.length)),
    h(
      "p",
      { class: "about" },
      group.map(({ at }, index) => [index === 0 ? "" : " · ", time(at, language, isOne ? "clock" : "whole")]),
    ),
    types.length === 0 ? "" : h("p", { class: "about" }, typeNames(types, language)),
    anyway !== undefined && h("p", { class: "about" }, say.declinedStill[anyway](name)),
    consent !== undefined && quote({ ...consent, brand: name }, language),
  ];
}

/** A decision without an entry in the record. */
function decisionItem(decision: Download["decisions"][number], language: Language): ComponentChildren {
  const { decided, reported } = everythingWords[language];
  const { at, action, source } = decision;
  const brand = decision.brand ?? "";
  return [
    h("p", { class: "what" }, sentenceOf(source === "wallet" ? decided : reported, action, brand)),
    h("p", { class: "about" }, time(at, language, "clock")),
    quote({ ...decision, brand }, language),
  ];
}

type Quoted = { source: string; words?: string | null; version: string; language?: string | null; brand: string };

/** The folded text that a screen showed, and the label of its button. A company's own statement is labeled as such. */
function quote({ source, words, ...origin }: Quoted, page: Language): ComponentChildren {
  const say = recordWords[page];
  const { textSeen, textStated, chosen, brandStated, wordsVersion } = say;
  const { version, brand } = origin;
  const changed = versionText(version, page);
  const language = origin.language ?? undefined;
  const { paragraphs, button } =
    typeof words === "string" ? piecesOf({ words, version, language }, brand) : { paragraphs: [], button: undefined };
  const names: Readonly<Record<string, string>> = say.languages;
  const shown =
    source === "wallet" && language !== undefined
      ? h("p", { class: "about" }, wordsVersion(changed, names[language] ?? language))
      : false;
  const texts = paragraphs.map((text) => h("p", { class: "quoted" }, text));
  return [
    source !== "wallet" && h("p", { class: "about" }, brandStated(brand, changed)),
    button !== undefined && h("p", { class: "about" }, chosen(button)),
    texts.length === 0
      ? shown
      : h(
          "details",
          null,
          h("summary", null, source === "wallet" ? textSeen : textStated),
          h("blockquote", { lang: language === undefined ? undefined : languageOfText(language) }, texts),
          shown,
        ),
  ];
}

function deviceRows({ devices }: Download, language: Language): ComponentChildren[] {
  const say = recordWords[language];
  return devices.map(({ device, createdAt, current }) =>
    h(
      "li",
      { class: "row" },
      titled(device === "" ? say.unknownDevice : device, current && tag(say.thisDevice, true)),
      h("p", { class: "about" }, withTimes(say.since("{0}"), language, createdAt)),
    ),
  );
}
