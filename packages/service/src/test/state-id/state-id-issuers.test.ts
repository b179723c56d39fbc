// alone: sets the variables that the commands read
/** The operator's trust list: which certificates it takes, and that production reads it. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { dayMs } from "@countersign/contract/time";
import { cborEncode } from "@owf/mdoc";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { Failure, problemsOf } from "../../domain/failure.ts";
import { addAuthorities, listAuthorities } from "../../domain/state-id/authority-rows.ts";
import { readTrustFile } from "../../domain/state-id/trust-list.ts";
import { keyFrom, makeRoot, makeSigner } from "../../providers/sandbox/state-id/authority.ts";
import { coseSign1 } from "../../providers/sandbox/state-id/cose.ts";
import { sandbox } from "../harness/sandbox.ts";
import { dataDir } from "../harness/service-process.ts";

const it = await sandbox({}, { MASTER_KEY: "1".repeat(64) });
const { connection } = it.stores.store;
assert.ok("connectionString" in connection);
const folder = await dataDir();
Object.assign(process.env, { DATABASE_URL: connection.connectionString, DATA_DIR: folder, MASTER_KEY: "1".repeat(64) });
let printed = "";
terminal.out = (text) => {
  printed += text;
};

/** Runs a command, and returns what it printed as JSON. */
async function run(line: string): Promise<unknown> {
  printed = "";
  await countersign.parseAsync(line.split(" "), { from: "user" });
  process.exitCode = undefined;
  return JSON.parse(printed);
}

const at = Date.UTC(2026, 5, 1);
const keyOf = (seed: number) => keyFrom(Buffer.alloc(32, seed));
const california = await makeRoot("CA", "California", keyOf(1));
const [arizona, newYork, guam] = [
  await makeRoot("AZ", "Arizona", keyOf(2)),
  await makeRoot("NY", "New York", keyOf(3)),
  await makeRoot("GU", "Guam", keyOf(4)),
];
const publisherKey = keyOf(9);
const publisher = await makeRoot("VA", "Publisher", publisherKey);
const stranger = await makeRoot("VA", "Stranger", keyOf(8));
const signer = await makeSigner({ state: "CA", name: "California", root: keyOf(1), signer: keyOf(5), at });

const pem = (...certificates: Uint8Array[]) =>
  certificates
    .map((der) => {
      const lines =
        Buffer.from(der)
          .toString("base64")
          .match(/.{1,64}/g) ?? [];
      return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
    })
    .join("Comment\n");

/** A signed list (ISO/IEC 18013-5, annex C). */
function vical(certificates: Uint8Array[], key = publisherKey, certificate: Uint8Array = publisher): Uint8Array {
  // A serial number is a bignum, which the encoder writes for numbers that are large enough.
  const infos = certificates.map(
    (one) =>
      new Map<string, unknown>([
        ["certificate", one],
        ["serialNumber", 2n ** 100n],
        ["docType", ["org.iso.18013.5.1.mDL"]],
      ]),
  );
  const list = new Map<string, unknown>([
    ["version", "1.0"],
    ["vicalProvider", "Publisher"],
    ["date", new Date(at)],
    ["certificateInfos", infos],
  ]);
  return cborEncode(coseSign1(key.privateKey, cborEncode(list), { certificate }));
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}
const stored = async () => (await listAuthorities(it.store.home)).map(({ jurisdiction }) => jurisdiction);

test("certificates are added from PEM, DER and a signed list, listed and removed", async () => {
  assert.deepEqual(await run(`issuers add ${await file("two.pem", pem(california, arizona))} --json`), {
    authorities: 2,
    added: 2,
    removed: 0,
  });
  const again = await run(`issuers add ${await file("ca.der", california)} --json`);
  assert.deepEqual(again, { authorities: 1, added: 0, removed: 0 }, "a certificate is stored once");
  const published = await file("publisher.pem", pem(publisher));
  const path = await file("states.vical", vical([newYork, guam]));
  await run(`issuers add ${path} --publisher ${published} --json`);
  assert.deepEqual(await stored(), ["US-AZ", "US-CA", "US-GU", "US-NY"]);
  const listed = (await run("issuers list --json")) as Record<string, string>[];
  assert.deepEqual(
    listed.map(({ jurisdiction, name, state, file: source }) => [jurisdiction, name, state, source]),
    [
      ["US-AZ", "Arizona", "valid", "two.pem"],
      ["US-CA", "California", "valid", "two.pem"],
      ["US-GU", "Guam", "valid", "states.vical"],
      ["US-NY", "New York", "valid", "states.vical"],
    ],
  );
  await file("states.vical", vical([newYork]));
  const refreshed = await run(`issuers add ${path} --publisher ${published} --replace --json`);
  assert.deepEqual(refreshed, { authorities: 1, added: 0, removed: 1 });
  await run(`issuers remove ${listed[0]?.certificate} --json`);
  assert.deepEqual(await stored(), ["US-CA", "US-NY"]);
});

test("a file is refused as a whole if anything in it is wrong", () => {
  const cases: [Parameters<typeof readTrustFile>[0], RegExp][] = [
    [{ bytes: Buffer.from(pem(california, signer)), at }, /certificate 2: it is not self-signed/],
    [{ bytes: california, at: Date.UTC(2050, 0, 1) }, /expired/],
    [{ bytes: Buffer.from("nothing"), at }, /no certificate/],
    [{ bytes: california, jurisdiction: "MX-CA", at }, /country/],
    [{ bytes: california, jurisdiction: "California", at }, /names no state/],
    [{ bytes: california, name: "Cali\u202efornia", at }, /cannot be seen/],
    [{ bytes: vical([newYork]), at }, /publisher/],
    [{ bytes: vical([newYork]), publisher: stranger, at }, /did not sign/],
    [{ bytes: vical([newYork], keyOf(8)), publisher, at }, /did not sign/],
    [{ bytes: vical([newYork], keyOf(8), stranger), publisher, at }, /did not sign/],
    [{ bytes: vical([newYork]).subarray(0, -1), publisher, at }, /cannot be read/],
    [{ bytes: vical([signer]), publisher, at }, /certificate 1: it is not self-signed/],
  ];
  for (const [given, why] of cases)
    assert.throws(
      () => readTrustFile(given),
      (error) => error instanceof Failure && why.test(problemsOf(error)[0]?.message ?? ""),
      String(why),
    );
});

test("a certificate without a state gets one, and people read the name of the state", () => {
  const [one] = readTrustFile({ bytes: california, at });
  assert.deepEqual([one?.name, one?.jurisdiction], ["California", "US-CA"]);
  const [named] = readTrustFile({ bytes: guam, jurisdiction: "US-GU", name: "Guåhan", at });
  assert.deepEqual([named?.name, named?.jurisdiction], ["Guåhan", "US-GU"]);
});

test("two processes that add the same file store each certificate once", async () => {
  const listed = readTrustFile({ bytes: Buffer.from(pem(arizona, guam)), at });
  const add = () => addAuthorities(it.store.home, listed, { source: "same.pem", replaces: true, now: at + dayMs });
  const results = await Promise.allSettled([add(), add()]);
  assert.ok(results.some(({ status }) => status === "fulfilled"));
  assert.equal((await stored()).filter((one) => one === "US-GU").length, 1);
});
