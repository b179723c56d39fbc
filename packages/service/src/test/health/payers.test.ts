import assert from "node:assert/strict";
import test from "node:test";
import type { Payer } from "@countersign/contract/health";
import { indexPayers, lookUp } from "../../domain/health/payer-index.ts";
import { wirePayer } from "../../domain/health/payers.ts";
import { monogram } from "../../http/payer-picture.ts";
import { bundledPayers } from "../../providers/payers/directory.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
const open = it.as(null);
type Page = { total: number; limit: number; skip: number; data: Payer[] };

const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text));

async function page(text: string): Promise<Page> {
  const { body } = await open.listPayers({ query: queryOf(text) });
  assert.ok(!Array.isArray(body));
  return body;
}
async function all(text = ""): Promise<Payer[]> {
  const { body } = await open.listPayers({ query: queryOf(text) });
  assert.ok(Array.isArray(body));
  return body;
}

test("without a query, the list has all payers, including the groups", async () => {
  const payers = await all();
  assert.equal(payers.length, 636 + 2);
  const groups = payers.filter(({ vendorId }) => vendorId.startsWith("GROUP_")).map(({ vendorId }) => vendorId);
  assert.deepEqual(groups.sort(), ["GROUP_BLUES", "GROUP_MEDICARE"]);
  assert.equal(new Set(payers.map(({ vendorId }) => vendorId)).size, payers.length);
  for (const { name, vendorId, ids } of payers) {
    assert.ok(name !== "" && ids.length > 0);
    assert.match(vendorId, /^(V\d{6}|GROUP_[A-Z]+)$/);
  }
});

test("with a query, the response is a page, unless $paginate is false", async () => {
  const found = await page("$search=aetna&$limit=10&$skip=0&$paginate=true");
  assert.deepEqual([found.limit, found.skip, found.data.length], [10, 0, 10]);
  assert.deepEqual(
    [found.data[0]?.name, found.data[0]?.vendorId, found.data[0]?.ids[0]],
    ["Aetna", "V404110", "60054"],
  );
  assert.equal((await page("$search=87726")).data[0]?.name, "UnitedHealthcare");
  const skipped = await page("$skip=1");
  assert.deepEqual([skipped.limit, skipped.skip, skipped.total, skipped.data.length], [10, 1, 638, 10]);
  assert.deepEqual(skipped.data[0], (await all())[1]);
  assert.equal((await all("$search=aetna&$paginate=false"))[0]?.name, "Aetna");
  assert.equal((await page("$search=")).total, 638);
});

test("a search reads the list of words at most twice for each of its words, because anyone can search", () => {
  const index = indexPayers(bundledPayers().payers.map((entry) => ({ entry, isGroup: false })));
  let reads = 0;
  const words = new Proxy(index.words, {
    get(list, name) {
      if (name === "filter") reads += 1;
      return Reflect.get(list, name);
    },
  });
  assert.deepEqual(lookUp({ ...index, words }, "blue cross of xyzzy ".repeat(5)), []);
  // Blue, cross, xyzzy, and each two of them that are neighbors as one word.
  assert.ok(reads > 0 && reads <= 2 * 6, `${reads} reads`);
});

test("payers are found by name, id and alias, in any letter case and with small typos", async () => {
  const firsts: Record<string, string> = {
    AETNA: "Aetna",
    "60054": "Aetna",
    "untied healthcare": "UnitedHealthcare",
    "united healthcare": "UnitedHealthcare",
    uhc: "UnitedHealthcare",
    "bcbs tx": "Blue Cross and Blue Shield of Texas",
    "blue cross texas": "Blue Cross and Blue Shield of Texas",
    "00601": "Anthem Blue Cross Blue Shield of Georgia",
    "medicaid mich": "Medicaid Michigan",
    medicare: "Medicare",
    MDCAL: "Medicaid California Medi-Cal",
    V253146: "Cigna",
    humna: "Humana",
    GROUP_BLUES: "Blue Cross Blue Shield (all payers)",
  };
  for (const [search, name] of Object.entries(firsts))
    assert.equal((await page(`$search=${encodeURIComponent(search)}`)).data[0]?.name, name, search);
  assert.match((await page("$search=kaizer")).data[0]?.name ?? "", /^Kaiser/);
  for (const nothing of ["zzzz", "%", "_", "\u{1f600}", "a".repeat(200)])
    assert.equal((await page(`$search=${encodeURIComponent(nothing)}`)).total, 0, nothing);
});

test("a brand's name may be written in one word or in two, and with words of companies and products", async () => {
  const firsts: Record<string, RegExp> = {
    "Tri Care": /^TRICARE (East|West|for|Overseas)/i,
    "Tri Care East": /^TRICARE East/,
    "Met Life": /^MetLife Dental Family/,
    "Care First": /^CareFirst/,
    "Well Care": /^Well ?Care/i,
    "Emblem Health": /^Emblem/,
    "Aetna Inc": /^Aetna$/,
    "Aetna, Inc.": /^Aetna$/,
    "Aetna PPO": /^Aetna$/,
    "Aetna Insurance Company": /^Aetna$/,
    "Cigna HMO Plan": /^Cigna$/,
    "United Health Care": /^UnitedHealthcare$/,
    bluecrossblueshieldtexas: /Texas/,
    "Humana Group": /^Humana/,
  };
  for (const [search, name] of Object.entries(firsts))
    assert.match((await page(`$search=${encodeURIComponent(search)}`)).data[0]?.name ?? "", name, search);
});

test("a search with many typos compares few words with the whole directory, because anyone may search", () => {
  const index = indexPayers(bundledPayers().payers.map((entry) => ({ entry, isGroup: false })));
  let compared = 0;
  const words = new Proxy(index.words, {
    get(target, name, receiver) {
      if (name === "filter") compared += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const typos = "bluee crosss shielld blluee crooss shhield bluue ccross shieldd bllue crros shiield";
  assert.deepEqual(lookUp({ ...index, words }, typos), []);
  assert.deepEqual(lookUp({ ...index, words }, `blue ${typos}`), []);
  assert.ok(compared < 50, `${compared}`);
  assert.ok(lookUp({ ...index, words }, "bluee crosss shielld texas").length > 0);
});

test("a $skip beyond the end returns an empty page, however large it is", async () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const sizes: [string, number][] = [
    ["638", 638],
    ["1000000", 1_000_000],
    ["2147483648", 2 ** 31],
    ["9007199254740991", largest],
    ["9007199254740993", largest],
    ["9".repeat(400), largest],
  ];
  for (const [skip, shown] of sizes) {
    assert.deepEqual(await page(`$skip=${skip}`), { total: 638, limit: 10, skip: shown, data: [] }, skip);
    assert.deepEqual(await page(`$skip=${skip}&$limit=100`), { total: 638, limit: 100, skip: shown, data: [] }, skip);
    const { body } = await it.inject({ method: "GET", url: `/1-click/health/payers?$skip=${skip}&$paginate=false` });
    assert.deepEqual(body, [], skip);
  }
});

test("invalid $limit, $skip, $paginate and $search values are rejected, and any site may read the list", async () => {
  const wrong = ["$limit=0", "$limit=101", "$limit=ten", "$skip=-1", "$paginate=maybe", `$search=${"x".repeat(201)}`];
  for (const text of wrong)
    assert.equal((await refusal(open.listPayers({ query: queryOf(text) }))).errorCode, "ERR001", text);
  assert.equal((await page("$limit=100")).data.length, 100);
  const response = await it.inject({
    method: "GET",
    url: "/1-click/health/payers?$limit=1",
    headers: { origin: "https://brand.example" },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers["access-control-allow-origin"], "*");
});

test("every payer has a picture that the service draws and every site may show", async () => {
  const { body } = await open.listPayers({ query: {} });
  assert.ok(Array.isArray(body) && body.length > 600);
  for (const { logoUrl, vendorId } of body) assert.equal(new URL(logoUrl).pathname, `/payers/${vendorId}.svg`);
  // A caller may not ask for all pictures at once.
  for (const payer of body.filter((_, at) => at % 20 === 0)) {
    const { pathname } = new URL(payer.logoUrl);
    const { statusCode, headers, body: picture } = await it.app.inject({ url: pathname });
    assert.deepEqual([statusCode, headers["content-type"]], [200, "image/svg+xml"], payer.name);
    assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
    assert.match(picture, />[\p{L}\p{N}]{1,2}<\/text><\/svg>$/u, payer.name);
  }
  assert.equal((await it.app.inject({ url: "/payers/V000000.svg" })).statusCode, 404);
});

test("a picture that the directory names is used instead of the drawn one", () => {
  const [payer = assert.fail("no payer")] = bundledPayers().payers;
  const deps = { addresses: { apiUrl: "https://api.example", walletUrl: "" } };
  const logoUrl = "https://operator.example/aetna.png";
  assert.equal(wirePayer(deps, { ...payer, logoUrl }).logoUrl, logoUrl);
  assert.equal(wirePayer(deps, payer).logoUrl, `https://api.example/payers/${payer.vendorId}.svg`);
});

test("a payer's name cannot add markup to its picture", () => {
  const picture = monogram({ name: '<script> "&" </text>', vendorId: "V1" });
  assert.match(picture, />ST<\/text><\/svg>$/);
});
