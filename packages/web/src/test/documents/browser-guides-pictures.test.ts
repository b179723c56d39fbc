// rest: a change of a screen need not take its pictures at once
/**
 * Compares the pictures of the documents with what the build draws. `PICTURES=1 npm test -- browser-guides` takes them
 * again, into `docs/public/pictures`.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import test from "node:test";
import pixelmatch from "pixelmatch";
import type { Locator, Page } from "playwright-core";
import { begin, browserSandbox, buttonNamed, sharedBrowser } from "../harness/browser.ts";
import { busyBrand } from "../harness/busy-brand.ts";
import { browserDashboard } from "../harness/dashboard.ts";
import { guideSite } from "../harness/guide-site.ts";

const root = resolve(import.meta.dirname, "../../../../..");
const folder = join(root, "docs/public/pictures");
const isPictured = process.env.PICTURES !== undefined;
const bytesMax = 600 * 1024;
const schemes = ["light", "dark"] as const;
const pictures = ["wallet", "sdk", "dashboard", "stage"].flatMap((name) =>
  schemes.map((scheme) => `${name}-${scheme}.webp`),
);

const it = await browserSandbox();
const brandSettings = { externalName: "Pied Piper", styling: { primaryColor: "#0B6E4F" } };

/**
 * The side of a cell, in pixels of the picture. Only the mean colors of cells are compared, so how letters are smoothed
 * and which digits a time has changes little. A moved bar changes whole cells along its edges.
 */
const cellPx = 8;
/** How much a cell may differ: pixelmatch's threshold, from 0 (nothing) to 1 (black and white). */
const threshold = 0.2;
/** How many cells may differ more: words that come and go, such as a longer time. */
const cellsMax = 24;

type Cells = { width: number; height: number; data: string };

/** The mean colors of a picture's cells, as RGBA in base64. The browser reads the picture. */
async function cellsOf(
  picture: Buffer,
  type: "png" | "webp",
): Promise<{ width: number; height: number; data: Buffer }> {
  const blank = await (await sharedBrowser()).newPage();
  const { data, ...size }: Cells = await blank.evaluate(
    `(async () => {
    const blob = await (await fetch("data:image/${type};base64,${picture.toString("base64")}")).blob();
    const bitmap = await createImageBitmap(blob);
    const [columns, rows] = [Math.floor(bitmap.width / ${cellPx}), Math.floor(bitmap.height / ${cellPx})];
    const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const means = new Uint8Array(columns * rows * 4).fill(255);
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1) {
        const { data } = context.getImageData(column * ${cellPx}, row * ${cellPx}, ${cellPx}, ${cellPx});
        for (let channel = 0; channel < 3; channel += 1) {
          let sum = 0;
          for (let at = channel; at < data.length; at += 4) sum += data[at];
          means[(row * columns + column) * 4 + channel] = Math.round(sum / ${cellPx ** 2});
        }
      }
    return { width: columns, height: rows, data: btoa(String.fromCharCode(...means)) };
  })()`.replace("String.fromCharCode(...means)", 'Array.from(means, (one) => String.fromCharCode(one)).join("")'),
  );
  await blank.close();
  return { ...size, data: Buffer.from(data, "base64") };
}

type Box = { x: number; y: number; width: number; height: number };

/**
 * The number of cells in which two pictures differ. A picture of another size differs everywhere. `moving`: boxes whose
 * content changes with each run, in pixels of the picture.
 */
async function differingCells(png: Buffer, webp: Buffer, moving: readonly Box[] = []): Promise<number> {
  const [drawn, stored] = [await cellsOf(png, "png"), await cellsOf(webp, "webp")];
  const { width, height } = drawn;
  if (width !== stored.width || height !== stored.height) return width * height;
  for (const { data } of [drawn, stored])
    for (const box of moving)
      for (let row = Math.floor(box.y / cellPx); row <= (box.y + box.height) / cellPx && row < height; row += 1) {
        const from = row * width + Math.floor(box.x / cellPx);
        data.fill(0, from * 4, (from + Math.ceil(box.width / cellPx) + 1) * 4);
      }
  return pixelmatch(drawn.data, stored.data, undefined, width, height, { threshold, includeAA: true });
}

/**
 * Compares what a page shows with its picture, or saves it as WebP. The browser converts it. `moving`: parts of a page
 * without zoom whose content changes with each run.
 */
async function take(page: Page, name: string, moving: readonly Locator[] = []): Promise<void> {
  const shot = await page.screenshot();
  const path = join(folder, `${name}.webp`);
  assert.ok(pictures.includes(`${name}.webp`), name);
  if (!isPictured) {
    const boxes = await Promise.all(moving.map((one) => one.boundingBox()));
    const shown = boxes.filter((box) => box !== null);
    assert.equal(shown.length, moving.length, "a part that changes is missing");
    const count = await differingCells(shot, readFileSync(path), shown);
    const command = "PICTURES=1 npm test -- browser-guides";
    assert.ok(count <= cellsMax, `${name}.webp differs in ${count} cells. Take the pictures again: ${command}`);
    return;
  }
  const blank = await (await sharedBrowser()).newPage();
  const webp: string = await blank.evaluate(`(async () => {
    const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64,${shot.toString("base64")}")).blob());
    const canvas = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height });
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/webp", 0.85).split(",")[1];
  })()`);
  await blank.close();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, Buffer.from(webp, "base64"));
}

for (const colorScheme of schemes)
  test(`a person reviews their details on a phone, ${colorScheme}`, async () => {
    const { apiKey } = await it.brand({
      ...brandSettings,
      integrationType: "hosted",
      redirectUrl: `${it.walletUrl}/demo/landing`,
    });
    const person = await it.person({ colorScheme, reducedMotion: "reduce", deviceScaleFactor: 2 });
    const begun = await begin(it, "+12125550010", { apiKey });
    await person.page.goto(begun.url);
    await person.at("verificationCode");
    await person.enter(begun.code);
    await person.at("review");
    await take(person.page, `wallet-${colorScheme}`);
    await person.done();
  });

for (const colorScheme of schemes)
  test(`the stage shows a signup up to the person's decision, ${colorScheme}`, async () => {
    const { page, done } = await it.person({ on: "desktop", colorScheme, reducedMotion: "reduce" });
    await page.goto(`${it.walletUrl}/demo?scenario=share`);
    const next = page.locator(".next");
    const ready = page.locator(".controls button:not([aria-disabled])", { hasText: "Step" });
    for (let count = 0; count < 20; count += 1) {
      await ready.waitFor();
      if (/share/i.test((await next.textContent()) ?? "")) break;
      await page.getByRole("button", { name: "Step", exact: true }).click();
    }
    await page
      .frameLocator(".frame iframe")
      .getByRole("button", { name: /^(?:Share|Keep reading)/ })
      .waitFor();
    await take(page, `stage-${colorScheme}`);
    await done();
  });

const { url: site } = await guideSite(it, brandSettings);

for (const colorScheme of schemes)
  test(`the frame in the page of the SDK's guide, ${colorScheme}`, async () => {
    const person = await it.person({
      on: "desktop",
      colorScheme,
      reducedMotion: "reduce",
      viewport: { width: 960, height: 1180 },
      deviceScaleFactor: 1.25,
      alsoAsks: [new URL(site).host, new URL(it.deps.addresses.apiUrl).host],
    });
    await person.page.goto(site);
    const frame = person.page.frameLocator("#signup iframe");
    await frame.getByRole("textbox", { name: "Phone number" }).fill("2125550010");
    await frame.getByRole("textbox", { name: "Verification code" }).fill("111111");
    await frame.getByRole("button", buttonNamed("Share")).waitFor();
    await take(person.page, `sdk-${colorScheme}`);
    await person.done();
  });

test("the dashboard shows a brand's calls, light and dark", async () => {
  const dashboard = await browserDashboard();
  const { uuid } = await busyBrand(dashboard);
  for (const colorScheme of schemes) {
    const person = await dashboard.member({ colorScheme });
    await person.page.goto(`/brands/${uuid}/sandbox/analytics`);
    await person.at("analytics");
    await person.page.getByRole("img", { name: "Errors by code: OCE011 3, OCE013 3" }).waitFor();
    const { page } = person;
    // How long calls took is different each time.
    const chart = page.locator("figure.chart", { has: page.getByRole("heading", { name: "Latency" }) });
    await take(page, `dashboard-${colorScheme}`, [chart, page.getByText(/^Latency \(p95\)/).locator("..")]);
    await person.done();
  }
});

test("the documents have every picture, and together they are small", () => {
  const sizes = pictures.map((name) => statSync(join(folder, name)).size);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= bytesMax, `${total} bytes`);
});

/** A page with lines of text and a chart, whose bar or time can be another. */
const chart = (left: number, time: string) => `<body style="margin:0;background:#fff;font:16px sans-serif">
  ${Array.from({ length: 12 }, (_, row) => `<p style="margin:8px">POST /v2/1-click 201 · ${time} ms · ${row}</p>`).join("")}
  <i style="position:absolute;left:${left}px;top:420px;width:24px;height:160px;background:#0b6e4f"></i></body>`;

test("a bar that moved by 8 pixels is noticed, and other times and smoother letters are not", async () => {
  const draw = async (html: string, type: "png" | "jpeg" = "png") => {
    const page = await (await sharedBrowser()).newPage({ viewport: { width: 640, height: 640 } });
    await page.setContent(html);
    const shot = await page.screenshot({ type, ...(type === "jpeg" ? { quality: 60 } : {}) });
    await page.close();
    return shot;
  };
  const before = await draw(chart(200, "34"), "jpeg");
  const differing = async (html: string) => differingCells(await draw(html), before);
  assert.ok((await differing(chart(208, "34"))) > cellsMax);
  assert.ok((await differing(chart(200, "57"))) <= cellsMax);
  assert.ok(
    (await differing(chart(200, "34").replace("<body", '<body class="smooth"').replace("16px", "16.01px"))) <= cellsMax,
  );
});
