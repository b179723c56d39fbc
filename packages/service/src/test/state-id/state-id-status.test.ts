/** How long the status list of an authority is used again. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { minuteMs } from "@countersign/contract/time";
import { cborEncode } from "@owf/mdoc";
import type { StateIdTrust } from "../../domain/ports.ts";
import { assertNotRevoked, listKeptMaxMs } from "../../domain/state-id/status.ts";
import { keyFrom, makeRoot, makeSigner } from "../../providers/sandbox/state-id/authority.ts";
import { coseSign1 } from "../../providers/sandbox/state-id/cose.ts";
import { reasonOf } from "../harness/state-id-journey.ts";

const start = Date.UTC(2026, 5, 1);
const keyOf = (label: string) => keyFrom(createHash("sha256").update(label).digest());
const [root, signer] = [keyOf("root"), keyOf("signer")];
const california = { state: "CA", name: "California" };
const certificate = await makeRoot("CA", california.name, root);
const signedBy = await makeSigner({ ...california, root, signer, at: start });
const authority = { name: "California", jurisdiction: "US-CA", certificate };

/** A list at an address, whose only status is valid or revoked. `says`: its claims about time, in seconds. */
function listAt(
  uri: string,
  { isRevoked = false, at = start, says = {} as { exp?: number; ttl?: number } },
): Uint8Array {
  const claims = new Map<number, unknown>([
    [2, uri],
    [6, at / 1_000],
    ...(says.exp === undefined ? [] : [[4, at / 1_000 + says.exp] as const]),
    ...(says.ttl === undefined ? [] : [[65_534, says.ttl] as const]),
    [
      65_533,
      new Map<string, unknown>([
        ["bits", 1],
        ["lst", new Uint8Array(deflateSync(Uint8Array.of(isRevoked ? 1 : 0)))],
      ]),
    ],
  ]);
  const type = "application/statuslist+cwt";
  return cborEncode(coseSign1(signer.privateKey, cborEncode(claims), { certificate: signedBy, type }));
}

/** Trust whose lists come from `make`. Counts how often one was read. */
function trusting(make: (uri: string) => Uint8Array | null) {
  const trust = {
    reads: 0,
    keptLists: new Map() as StateIdTrust["keptLists"],
    statusList: async (uri: string) => {
      trust.reads += 1;
      return make(uri);
    },
  };
  return trust;
}
const uri = "https://dmv.example/1";
const check = (trust: ReturnType<typeof trusting>, at: number, of = uri) =>
  assertNotRevoked(trust, { uri: of, index: 0 }, { authority, at });

for (const [what, says, keptMs] of [
  ["its own time, if that is short", { exp: 3_600, ttl: 60 }, minuteMs],
  ["until it expires, if that is soon", { exp: 120, ttl: 3_600 }, 2 * minuteMs],
  ["five minutes, whatever it says", { exp: 86_400, ttl: 43_200 }, listKeptMaxMs],
  ["five minutes, if it only says when it ends", { exp: 86_400 }, listKeptMaxMs],
  ["not at all, if it says nothing", {}, 0],
] as const)
  test(`a list is used again for: ${what}`, async () => {
    const trust = trusting(() => listAt(uri, { says }));
    await check(trust, start);
    if (keptMs > 0) await check(trust, start + keptMs - 1);
    assert.equal(trust.reads, 1);
    await check(trust, start + keptMs).catch(() => {});
    assert.equal(trust.reads, 2);
  });

test("a revocation counts after five minutes at most, although the old list allows a day", async () => {
  let isRevoked = false;
  const trust = trusting(() => listAt(uri, { isRevoked, says: { exp: 86_400, ttl: 86_400 } }));
  await check(trust, start);
  isRevoked = true;
  assert.equal(await reasonOf(check(trust, start + listKeptMaxMs)), "revoked");
});

test("a list that is not verified is not kept, and neither is one for another root", async () => {
  let token: Uint8Array | null = listAt("https://dmv.example/another", { says: { ttl: 300 } });
  const trust = trusting(() => token);
  assert.equal(await reasonOf(check(trust, start)), "uncheckable");
  assert.equal(trust.keptLists.size, 0);
  token = listAt(uri, { says: { ttl: 300 } });
  await check(trust, start);
  const other = { ...authority, certificate: await makeRoot("CA", california.name, keyOf("another root")) };
  const reading = assertNotRevoked(trust, { uri, index: 0 }, { authority: other, at: start });
  assert.equal(await reasonOf(reading), "uncheckable");
});

test("a process keeps at most 32 lists", async () => {
  const trust = trusting((of) => listAt(of, { says: { ttl: 300 } }));
  for (let count = 0; count < 40; count += 1) await check(trust, start, `https://dmv.example/${count}`);
  assert.equal(trust.keptLists.size, 32);
  await check(trust, start, "https://dmv.example/39");
  assert.equal(trust.reads, 40);
});
