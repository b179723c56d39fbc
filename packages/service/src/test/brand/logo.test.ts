import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditLine } from "@countersign/contract/audit";
import { logoBytesMax } from "@countersign/contract/logo";
import { walletUrlOf } from "../../commands/ready.ts";
import { logoPath, pictureOf } from "../../domain/brand/logo.ts";
import { signedIn } from "../harness/dashboard-member.ts";
import { chunk, jpeg, png, segment } from "../harness/logo-pictures.ts";
import { assertEnvelope, demoKey, otherKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
await it.wallet.ready();
const { uuid } = await it.brand();
type Styled = { styling: { logoUrl: string | null } };

async function put(
  payload: Buffer | string | undefined,
  type: string | undefined = "image/png",
  options: LogoOptions = {},
) {
  return await it.inject({
    method: "PUT",
    url: `/sandbox/brands/${options.brand ?? uuid}/logo`,
    headers: {
      authorization: options.key ?? demoKey,
      ...(type === undefined ? {} : { "content-type": type }),
    },
    ...(payload === undefined ? {} : { payload }),
  });
}
type LogoOptions = { brand?: string; key?: string };

async function upload(payload: Buffer, type = "image/png"): Promise<string> {
  const { status, body } = await put(payload, type);
  assert.equal(status, 200, JSON.stringify(body));
  return logoPath((body as Styled).styling.logoUrl) ?? assert.fail("not a logo path of the wallet");
}
const served = async (path: string) => await it.wallet.inject({ method: "GET", url: path });

async function refused(payload: Buffer | string | undefined, type?: string, options?: LogoOptions) {
  const { status, body } = await put(payload, type, options);
  assertEnvelope(status, body);
  const { errors } = body.data as { errors?: { path: string; message: string }[] };
  return { status, why: errors?.map(({ path, message }) => `${path} ${message}`).join() ?? body.message };
}
const person = Buffer.from("Richard Hendricks, 5320 Newell Rd");

test("the wallet serves a PNG with its own content type and an immutable cache header", async () => {
  const picture = png();
  const path = await upload(picture);
  assert.match(path, /^\/logo\/[0-9a-f]{64}\.png$/);
  const { statusCode, headers, rawPayload } = await served(path);
  assert.equal(statusCode, 200);
  assert.ok(rawPayload.equals(picture));
  assert.deepEqual(
    ["content-type", "cache-control", "x-content-type-options", "content-security-policy"].map((name) => headers[name]),
    ["image/png", "public, max-age=31536000, immutable", "nosniff", "default-src 'none'; sandbox"],
  );
  assert.equal((await served(path.replace(".png", ".jpg"))).statusCode, 404);
  assert.equal((await served(path.replace(/[0-9a-f]{4}\./, "0000."))).statusCode, 404);
});

test("a JPEG stays a JPEG, and metadata is removed from JPEGs and PNGs", async () => {
  const exif = segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), person]));
  const comment = segment(0xfe, person);
  const path = await upload(jpeg({ before: [exif, comment], after: person }), "image/jpeg");
  assert.match(path, /\.jpg$/);
  const { headers, rawPayload } = await served(path);
  assert.equal(headers["content-type"], "image/jpeg");
  assert.ok(rawPayload.equals(jpeg()));

  const texts = ["tEXt", "iTXt", "eXIf", "tIME", "iCCP", "acTL"].map((name) => chunk(name, person));
  const bare = await served(await upload(png({ before: texts, after: [chunk("tEXt", person), person] })));
  assert.ok(bare.rawPayload.equals(png()));
});

test("a JPEG keeps its Adobe color marker, but other data in such markers is removed", async () => {
  const note = segment(0xee, Buffer.concat([Buffer.from("Adobe"), Buffer.alloc(7)]));
  const kept = await served(await upload(jpeg({ before: [note] }), "image/jpeg"));
  assert.ok(kept.rawPayload.includes(note));
  const other = await served(await upload(jpeg({ before: [segment(0xee, person)] }), "image/jpeg"));
  assert.ok(other.rawPayload.equals(jpeg()));
});

test("every kind of PNG is accepted", async () => {
  for (const [type, depth, bits] of [
    [0, 1, 1],
    [0, 16, 16],
    [2, 16, 48],
    [4, 8, 16],
    [6, 8, 32],
  ] as const)
    await upload(png({ type, depth, pixels: Buffer.alloc(40 * (1 + Math.ceil((40 * bits) / 8))) }));
  await upload(png({ type: 3, before: [chunk("PLTE", Buffer.alloc(6))], pixels: Buffer.alloc(40 * 41) }));
  const rows = [5 * 16, 5 * 16, 5 * 31, 10 * 31, 10 * 61, 20 * 61, 20 * 121];
  await upload(png({ interlaced: 1, pixels: Buffer.alloc(rows.reduce((sum, one) => sum + one, 0)) }));
});

const html = "<!doctype html><script>alert(1)</script>";
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
const hostile: [string, Buffer | string, RegExp, string?][] = [
  ["an SVG labeled as PNG", svg, /neither a PNG nor a JPEG/],
  ["an HTML page labeled as JPEG", html, /neither a PNG nor a JPEG/, "image/jpeg"],
  ["a GIF", "GIF89a\u0001\0\u0001\0", /neither/],
  ["an empty body", Buffer.alloc(0), /neither/],
  ["only the PNG signature", png().subarray(0, 8), /incomplete/],
  ["a truncated PNG", png().subarray(0, -20), /incomplete/],
  ["a PNG with a changed byte", flipped(png(), 60), /damaged part/],
  [
    "a PNG header that claims 10^9 pixels",
    png({ width: 40_000, height: 25_000, pixels: Buffer.alloc(1) }),
    /is 40000 by 25000 pixels/,
  ],
  ["a PNG header that claims no pixels", png({ width: 0, height: 0 }), /is 0 by 0 pixels/],
  [
    "a PNG of more than 512 pixels",
    png({ width: 513, height: 512 }),
    /513 by 512 pixels; each side must have 16 to 512/,
  ],
  ["a wide banner", png({ width: 200, height: 40 }), /not nearly square/],
  ["a single pixel", png({ width: 1, height: 1 }), /is 1 by 1/],
  ["a PNG with fewer pixels than its header claims", png({ pixels: Buffer.alloc(100) }), /too few pixels/],
  ["a bomb with more pixels than its header claims", png({ pixels: Buffer.alloc(9_000_000) }), /damaged image data/],
  ["a PNG with an invalid row filter", png({ pixels: Buffer.alloc(40 * 121, 9) }), /damaged image data/],
  ["pixel data that is not compressed", withPixels(Buffer.from("not packed at all")), /damaged image data/],
  ["an unknown color type", png({ type: 5 }), /an invalid header/],
  ["a palette PNG without its palette", png({ type: 3, pixels: Buffer.alloc(40 * 41) }), /an invalid header/],
  ["a PNG with two headers", png({ before: [png().subarray(8, 33)] }), /misordered parts/],
  ["a JPEG labeled as PNG", jpeg(), /is image\/jpeg, but was sent as image\/png/],
  ["a PNG labeled as JPEG", png(), /is image\/png, but was sent as image\/jpeg/, "image/jpeg"],
  ["a truncated JPEG", jpeg().subarray(0, -3), /incomplete/, "image/jpeg"],
  [
    "a JPEG of 10^9 pixels",
    swapped(jpeg(), "ffc0000b0800280028", "ffc0000b089c4061a8"),
    /is 25000 by 40000/,
    "image/jpeg",
  ],
  ["a lossless JPEG, which browsers cannot show", jpeg({ frame: 0xc3 }), /unsupported kind/, "image/jpeg"],
  ["a JPEG without quantization tables", swapped(jpeg(), "ffdb", "ffe5"), /tables/, "image/jpeg"],
  [
    "an HTML page after a JPEG's first bytes",
    Buffer.concat([jpeg().subarray(0, 3), Buffer.from(html)]),
    /JPEG/,
    "image/jpeg",
  ],
];
for (const [name, payload, why, type] of hostile)
  test(`refuses ${name} as a logo`, async () => {
    const before = await it.store.db.selectFrom("brand_logo").select("hash").execute();
    const found = await refused(payload, type);
    assert.equal(found.status, 400);
    assert.match(found.why, why);
    assert.deepEqual(await it.store.db.selectFrom("brand_logo").select("hash").execute(), before);
  });

const largest = png({ width: 512, height: 512, depth: 16, type: 6, pixels: Buffer.alloc(512 * (1 + 512 * 8)) });

test("a process decodes two pictures at once: the others get a 429, and can be sent again", async () => {
  const sent = await Promise.allSettled(Array.from({ length: 5 }, () => pictureOf({ bytes: largest })));
  assert.deepEqual(
    sent.map((one) => (one.status === "fulfilled" ? one.value.type : one.reason.status)),
    ["png", "png", 429, 429, 429],
  );
  await upload(largest);
});

test("an upload for an old version is refused before the picture is read, and the audit log has each refusal", async () => {
  const member = await signedIn(it, { role: "developer" });
  const settings = `/api/brands/${uuid}/sandbox/settings`;
  const { version } = (await member.call("GET", settings)).body;
  const noPicture = Buffer.from("no picture");
  const send = (read: number) => member.call("PUT", `/api/brands/${uuid}/sandbox/logo?version=${read}`, noPicture);
  assert.deepEqual([(await send(Number(version) + 1)).status, (await send(Number(version))).status], [409, 400]);
  await refused(noPicture);
  const { data } = (await member.call("GET", `/api/audit?action=logo.refused&brand=${uuid}`)).body as {
    data: AuditLine[];
  };
  assert.deepEqual(
    data.slice(0, 3).map(({ subject, actor }) => [actor, subject]),
    [
      ["apiKey", "The picture is neither a PNG nor a JPEG."],
      ["member", "The picture is neither a PNG nor a JPEG."],
      ["member", "These settings have changed since you read them."],
    ],
  );
});

test("HTML in an image's metadata is removed; HTML in its pixels is served as an image and does not run", async () => {
  const inText = await served(
    await upload(png({ before: [chunk("tEXt", Buffer.from(html))], after: [Buffer.from(html)] })),
  );
  assert.ok(!inText.rawPayload.includes("<script>"));
  const pixels = Buffer.alloc(40 * 121);
  pixels.write("<script>", 1);
  const { headers } = await served(await upload(png({ pixels })));
  assert.deepEqual([headers["content-type"], headers["x-content-type-options"]], ["image/png", "nosniff"]);
});

test("200 KB is accepted, 201 KB is too large, and the error for other types names the accepted ones", async () => {
  const filler = (bytes: number) => png({ before: [chunk("tEXt", Buffer.alloc(bytes - png().length - 12))] });
  await upload(filler(logoBytesMax));
  assert.equal((await refused(filler(201 * 1024))).status, 413);
  for (const type of ["image/svg+xml", "image/gif", "application/json", "text/html"]) {
    const found = await refused(png(), type);
    assert.deepEqual(found, { status: 415, why: "The body must be image/png or image/jpeg." });
  }
  assert.equal((await refused(undefined)).status, 400);
  const { status, body } = await it.inject({
    method: "PUT",
    url: `/sandbox/brands/${uuid}/logo`,
    headers: { authorization: demoKey },
  });
  assertEnvelope(status, body);
  assert.equal(status, 415);
});

test("an upload is refused on other paths, from other customers, and without a valid key", async () => {
  const elsewhere = await it.inject({
    method: "PATCH",
    url: `/sandbox/brands/${uuid}/settings`,
    headers: { authorization: demoKey, "content-type": "image/png" },
    payload: png(),
  });
  assert.equal(elsewhere.status, 415);
  assert.equal((await refused(png(), "image/png", { key: otherKey })).status, 404);
  assert.equal((await refused(png(), "image/png", { key: "sk_sandbox_nobody" })).status, 401);
});

test("a new logo replaces the old one, and removing the logo or its setting deletes the image", async () => {
  const first = await upload(png());
  const second = await upload(png({ width: 48, height: 48, pixels: Buffer.alloc(48 * 145) }));
  assert.deepEqual([(await served(first)).statusCode, (await served(second)).statusCode], [404, 200]);
  const gone = await it.inject({
    method: "DELETE",
    url: `/sandbox/brands/${uuid}/logo`,
    headers: { authorization: demoKey },
  });
  assert.deepEqual([gone.status, (gone.body as Styled).styling.logoUrl], [200, null]);
  assert.equal((await served(second)).statusCode, 404);
  const third = await upload(png());
  await it.api.patchSandboxBrand({ params: { uuid }, body: { styling: { logoUrl: null } } });
  assert.equal((await served(third)).statusCode, 404);
});

test("a logo URL of the wallet is accepted on any port, but not one of another server", () => {
  const path = `/logo/${"0123456789abcdef".repeat(4)}.png`;
  assert.equal(logoPath(`http://localhost:4001${path}`), path);
  for (const url of [null, "https://evil.example/pixel.png", `https://evil.example${path}?who`, `${path}.html`])
    assert.equal(logoPath(url), undefined);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

function swapped(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString("hex").replace(from, to), "hex");
}

function withPixels(packed: Buffer): Buffer {
  return Buffer.concat([png().subarray(0, 33), chunk("IDAT", packed), chunk("IEND")]);
}

test("a logo from the command line has the URL of its own environment's wallet", () => {
  const production = { publicWalletUrl: "https://wallet.example" };
  const config = { publicWalletUrl: null, walletPort: 4001, production } as Parameters<typeof walletUrlOf>[1];
  const addresses = { apiUrl: "http://localhost:7", walletUrl: "http://localhost:8" };
  const ready = { pid: 1, environments: { sandbox: addresses }, dashboardUrl: "http://localhost:9" };
  assert.deepEqual(
    [
      walletUrlOf("sandbox", config, ready),
      walletUrlOf("sandbox", config, null),
      walletUrlOf("production", config, ready),
    ],
    ["http://localhost:8", "http://localhost:4001", "https://wallet.example"],
  );
  assert.throws(() => walletUrlOf("production", { ...config, production: null }, ready), { status: 409 });
});
