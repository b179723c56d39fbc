import assert from "node:assert/strict";
import test from "node:test";
import { browserSandbox } from "../../../web/src/test/harness/browser.ts";
import { brandSite, frameOf, type Visitor, visitor } from "../../../web/src/test/harness/sdk-frame.ts";

const it = await browserSandbox("browser");
const site = await brandSite(it);
const brand = await it.brand({ integrationType: "sdk" });

/** What a brand's page could learn at one width of the frame. */
type Seen = { window: number; layout: number; left: number; height: number; content: number };

/** Reports each change of the frame's width to the brand's page, where `resized` waits for it. */
const reporter = `{
  window.seen = () => {
    const { left, width, height } = document.getElementById("app").getBoundingClientRect();
    const content = document.documentElement.scrollWidth;
    return { window: innerWidth, layout: width, left, height, content };
  };
  addEventListener("resize", () => parent.postMessage({ seen: seen() }, "*"));
}`;
const pageScript = `{
  window.resized = (width) => new Promise((resolve) => {
    addEventListener("message", function listen({ data }) {
      if (data.seen?.window !== width) return;
      removeEventListener("message", listen);
      resolve(data.seen);
    });
    document.getElementById("place").style.width = width + "px";
  });
  window.sweep = async (widths) => {
    const all = [];
    for (const width of widths) all.push(await resized(width));
    return all;
  };
}`;

const place = (person: Visitor, style: string, value: string) =>
  person.page.evaluate(`document.getElementById("place").style.${style} = ${JSON.stringify(value)}`);

/** Opens a review in a frame of this width. */
async function reviewed(width: number): Promise<Visitor> {
  const person = await visitor(it, site, { on: "desktop" });
  await place(person, "width", `${width}px`);
  await person.begin((await brand.api.createSession({ body: { phone: "+12125550010" } })).body.sessionKey);
  await person.consent();
  await person.at("review");
  await frameOf(person.page).evaluate(reporter);
  await person.page.evaluate(pageScript);
  return person;
}

const seenIn = (person: Visitor) => frameOf(person.page).evaluate<Seen>("seen()");
const sweep = (person: Visitor, widths: readonly number[]) =>
  person.page.evaluate<Seen[]>(`sweep(${JSON.stringify(widths)})`);
const widthsOf = (seen: readonly Seen[]) => [...new Set(seen.map((one) => one.layout))].sort((a, b) => a - b);

test("a page that changes the frame's width pixel by pixel learns the review's height at a few widths only", async () => {
  const [first, narrowest, widest] = [413, 240, 440];
  const person = await reviewed(first);
  const down = Array.from({ length: first - narrowest }, (_, index) => first - 1 - index);
  const up = Array.from({ length: widest - narrowest }, (_, index) => narrowest + 1 + index);
  const seen = [await seenIn(person), ...(await sweep(person, [...down, ...up]))];
  assert.equal(seen.length, 1 + down.length + up.length);
  assert.deepEqual(widthsOf(seen), [280, 320, 360, 400, first, widest]);
  const heights = new Set(seen.map((one) => one.height));
  assert.ok(heights.size <= widthsOf(seen).length, [...heights].join());
  for (const one of seen) assert.ok(one.content <= Math.max(one.window, 280), JSON.stringify(one));
  await person.done();
});

test("after its width changed from 400 to 360, the frame fits without scrolling sideways", async () => {
  const person = await reviewed(400);
  const { layout, content, left } = await seenIn(person);
  assert.deepEqual([layout, content, left], [400, 400, 0]);
  const [narrow, between, wide] = await sweep(person, [360, 399, 440]);
  assert.deepEqual([narrow?.layout, narrow?.content, narrow?.left], [360, 360, 0]);
  assert.deepEqual([between?.layout, between?.content, between?.left], [360, 399, 19.5]);
  assert.deepEqual([wide?.layout, wide?.content, wide?.left], [440, 440, 0]);
  await person.picture("width-changed");
  await person.done();
});

test("a frame that loads while it is hidden keeps the first width that it is shown at", async () => {
  const person = await visitor(it, site, { on: "desktop" });
  await place(person, "display", "none");
  await person.begin((await brand.api.createSession({})).body.sessionKey);
  await person.page.waitForFunction(`window.told.some((one) => one.what.type === "SDK_READY")`);
  await place(person, "width", "371px");
  await place(person, "display", "block");
  await person.at("phone");
  await frameOf(person.page).evaluate(reporter);
  assert.equal((await seenIn(person)).layout, 371);
  await person.page.evaluate(pageScript);
  const [near] = await sweep(person, [380]);
  assert.equal(near?.layout, 371);
  await place(person, "display", "none");
  await place(person, "display", "block");
  await person.at("phone");
  assert.equal((await seenIn(person)).layout, 371);
  await person.done();
});
