import assert from "node:assert/strict";
import test from "node:test";
import { consentParts, consentTexts } from "@countersign/contract/consent";
import { inSentence, valueNames } from "@countersign/contract/names";
import { dayInWords } from "../../wallet/birth-date.ts";
import { begin, browserSandbox, type Person, picture } from "../harness/browser.ts";
import { brandOf, languages, tourOfEnds, tourOfFlow } from "../harness/wallet-tour.ts";

const it = await browserSandbox();
const words = languages.es;

/** Text on the screens that is not translated: values of the brand and the person, product names, and symbols. */
const values = [
  /^(Demo Hosted|Countersign|1-Click Signup|English|Adonde enviamos su tarjeta|Para revisar su crédito)$/,
  /^(Richard( Harrison)? Hendricks|Rick Hendricks|5320 Newell Rd|100 Example Ave|22 Sample St)$/,
  /^(Palo Alto|Tulsa|Reno), [A-Z]{2} \d{5}$/,
  /^[\d/•() :.-]+$/,
];
const gap = "\u0001";
const escaped = (text: string) => text.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const whole = (text: string) => new RegExp(`^${escaped(text).replaceAll(` ${gap}`, "( .*)?").replaceAll(gap, ".*")}$`);

/** Returns a pattern for every text of the words file, with a wildcard in place of each inserted value. */
function patternsOf(part: unknown): RegExp[] {
  if (typeof part === "string") return [whole(part)];
  if (typeof part === "function")
    return [
      whole(String(part(gap))),
      whole(String(part(gap, gap, gap))),
      ...[1, 2].map((count) => whole(String(part(count)).replaceAll(`${count}`, gap))),
    ];
  return typeof part === "object" && part !== null ? Object.values(part).flatMap(patternsOf) : [];
}
// A text that is only a name has no words, and its pattern would match every text.
const consents = Object.values(consentTexts).flatMap(({ es }) => Object.values(es).filter((one) => one !== "{brand}"));
const patterns = [
  ...values,
  whole(`08/01, ${words.yearHidden}`),
  whole(dayInWords("1970-01-01", "es")),
  ...patternsOf(words),
  // After some ends, the same paragraph says that nothing was shared.
  ...(["expired", "attempts"] as const).map((end) => whole(words.endTexts[end] + words.soFar.nothing)),
  whole(`${words.soFar.nothing} ${words.declinedText.phoneAndRisk(gap)}`.trim()),
  whole(`${words.requires(gap)} ${words.declinedText.phone(gap)}`),
  // Within a sentence, a label begins with a small letter.
  ...Object.values(valueNames).flatMap(([, label]) => [whole(label), whole(inSentence(label))]),
  // The names of switches, and of what is shared.
  ...Object.values(valueNames).map(([, label]) => whole(words.shareDetail(inSentence(label)))),
  ...patternsOf(consents.flatMap((piece) => consentParts(piece, gap, gap).map(({ text }) => text))),
];

/** Collects all text that is shown or read aloud. */
const textsScript = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!["SCRIPT", "STYLE", "OPTION"].includes(walker.currentNode.parentElement.tagName))
      if (walker.currentNode.parentElement.closest(".test-note, .monogram") === null) texts.push(walker.currentNode.data);
  for (const name of ["aria-label", "placeholder", "title", "alt"])
    for (const one of document.querySelectorAll("[" + name + "]")) texts.push(one.getAttribute(name));
  return [...texts, document.title].flatMap((text) => text.split(" · ")).map((text) => text.trim()).filter((text) => text !== "");
})()`;

/** Makes every word 40% longer, as in languages that need more room, and returns what overflows. */
const longerScript = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const were = [];
  while (walker.nextNode()) were.push([walker.currentNode, walker.currentNode.data]);
  const shown = were.filter(([node]) => node.parentElement.closest("script, style, .hidden") === null);
  for (const [node, text] of shown)
    node.data = text.replace(/\\p{L}{2,}/gu, (word) => word + "m".repeat(Math.ceil(word.length * 0.4)));
  const over = [...document.querySelectorAll("header *, main *, footer *")].filter((one) => {
    // The code's box may be wider by its focus ring.
    if (one.closest(".hidden, svg, .slots, pre, option") !== null || one.querySelector(".slots") !== null) return false;
    const { left, right } = one.getBoundingClientRect();
    const isInline = getComputedStyle(one).display === "inline";
    return right > innerWidth + 1 || left < -1 || (!isInline && one.scrollWidth > one.clientWidth + 1);
  });
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
  const found = [...wide, ...over.map((one) => one.outerHTML.slice(0, 120))];
  for (const [node, text] of shown) node.data = text;
  return found;
})()`;

async function judge({ page }: Person, name: string): Promise<void> {
  await picture(page, `es-${page.viewportSize()?.width}-${name.replace(/\W+/g, "-")}`);
  const texts = (await page.evaluate(textsScript)) as string[];
  const untranslated = texts.filter((text) => !patterns.some((pattern) => pattern.test(text)));
  assert.deepEqual(untranslated, [], `${name}: not from the words files`);
  const width = page.viewportSize()?.width ?? 0;
  assert.ok(Number(await page.evaluate("document.documentElement.scrollWidth")) <= width, `${name} is too wide`);
  assert.deepEqual(await page.evaluate(longerScript), [], `${name}: overflows with longer words`);
}

// 1280 by 1024 pixels at 400% zoom, the narrowest supported size.
const narrow = { viewport: { width: 320, height: 256 }, isMobile: false, locale: "es" };

test("at 400% zoom every text is translated and has room for words that are 40% longer", async () => {
  const person = await it.person(narrow);
  const see = (name: string) => judge(person, name);
  const tour = { it, person, apiKey: await brandOf(it, "demo"), say: words, see };
  await tourOfFlow(tour);
  await tourOfEnds(tour);
  await person.done();
});

test("pages without a script are translated and have room for longer words too", async () => {
  const person = await it.person(narrow);
  const begun = await begin(it, "+12125550010");
  for (const path of ["/terms", "/privacy", "/", "/v/none", new URL(begun.url).pathname]) {
    await person.page.goto(`${it.walletUrl}${path}`);
    await person.page.locator("h1").waitFor();
    assert.doesNotMatch(await person.page.locator("body").innerText(), /\b(the|you|your|page|and)\b/i, path);
    assert.deepEqual(await person.page.evaluate(longerScript), [], path);
  }
  await person.done();
});
