/** Changed answers with state IDs. None may crash the reader, and none may be read as something that nobody signed. */
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import test from "node:test";
import type { SessionTranscript } from "@owf/mdoc";
import type { JWK } from "jose";
import { openIso, openOpenid, responseIn } from "../../domain/state-id/answers.ts";
import { type VerifiedDocument, verifyDocument } from "../../domain/state-id/document.ts";
import { StateIdRefusal } from "../../domain/state-id/refusal.ts";
import { encryptionInfoOf, isoRequest, openidRequest } from "../../domain/state-id/requests.ts";
import { sandboxStateIds } from "../../providers/sandbox/state-id/authority.ts";
import { answerAsHolder, testStateIds } from "../../providers/sandbox/state-id/holder.ts";
import { changedAnswer } from "../harness/fuzz/state-id-answers.ts";
import { chance, isLong, seeded, tell } from "../harness/seeded-run.ts";

const tried = isLong ? 100_000 : 400;
const at = Date.UTC(2026, 5, 1);
const origin = "https://wallet.example";
const nonce = "a nonce of the test";
const secretOf = (label: string) => createHash("sha256").update(label).digest();
const trust = sandboxStateIds({ secretOf, clock: { now: () => at } });
const privateKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as JWK;
const { d: _, ...publicKey } = privateKey;
const elements = ["given_name", "family_name", "birth_date", "resident_address", "issuing_jurisdiction"] as const;
const encryptionInfo = encryptionInfoOf({ nonce: secretOf("nonce"), publicKey });
const asking = { elements, reader: null, origin };
const requests = {
  openid: { protocol: "openid4vp-v1-unsigned", data: openidRequest({ ...asking, nonce, publicKey }) },
  iso: { protocol: "org-iso-mdoc", data: isoRequest({ ...asking, encryptionInfo }) },
};
type Kind = keyof typeof requests;

const open = (kind: Kind, response: string) =>
  kind === "iso"
    ? openIso(response, { origin, encryptionInfo, privateKey })
    : openOpenid(response, { origin, nonce, privateKey });

type Answer = { kind: Kind; sent: string; response: Uint8Array; transcript: SessionTranscript; meaning: string };
const authorities = await trust.authorities();
const verify = (response: Uint8Array, transcript: SessionTranscript) =>
  verifyDocument(response, { transcript, authorities, at });

/** All that is read. */
const meaningOf = ({ values, authority, validUntil, status }: VerifiedDocument) =>
  JSON.stringify([[...values].map(([name, all]) => [name, [...all]]), authority.jurisdiction, validUntil, status]);

const answers: Answer[] = [];
for (const kind of ["openid", "iso"] as const)
  for (const stateId of testStateIds) {
    const { data } = await answerAsHolder({ secretOf, stateId, origin, now: at, request: requests[kind] });
    const sent = responseIn(data);
    const { response, transcript } = await open(kind, sent);
    answers.push({ kind, sent, response, transcript, meaning: meaningOf(await verify(response, transcript)) });
  }

/** Null if it was refused. Any error but a refusal is a crash. */
async function meaningUnlessRefused(read: () => Promise<VerifiedDocument>): Promise<string | null> {
  try {
    return meaningOf(await read());
  } catch (error) {
    if (error instanceof StateIdRefusal) return null;
    throw error;
  }
}

const pick = (random: () => number): Answer => answers[Math.floor(random() * answers.length)] ?? assert.fail();

test("a changed document is refused, or says exactly what was signed", async () => {
  const random = chance();
  let accepted = 0;
  await seeded(async () => {
    for (let count = 0; count < tried; count += 1) {
      const [answer, other] = [pick(random), pick(random)];
      const changed = changedAnswer(answer.response, other.response, random);
      const meaning = await meaningUnlessRefused(() => verify(changed, answer.transcript));
      if (meaning === null) continue;
      accepted += 1;
      // A part of the other answer can be all of it.
      const signed = [answer, other].map((one) => one.meaning);
      assert.ok(signed.includes(meaning), Buffer.from(changed).toString("hex"));
    }
  });
  // Nobody signs the version, nor members that we do not read.
  assert.ok(accepted < tried / 20, `${accepted} of ${tried} were accepted`);
  tell({ suite: "state-ids", what: "changed documents", tried, lost: 0 });
});

test("a changed message is refused", async () => {
  const random = chance();
  await seeded(async () => {
    for (let count = 0; count < tried; count += 1) {
      const [answer, other] = [pick(random), pick(random)];
      const changed = Buffer.from(changedAnswer(Buffer.from(answer.sent), Buffer.from(other.sent), random)).toString(
        "latin1",
      );
      if (changed === answer.sent || changed === other.sent) continue;
      const meaning = await meaningUnlessRefused(async () => {
        const { response, transcript } = await open(answer.kind, responseIn({ response: changed }));
        return await verify(response, transcript);
      });
      assert.equal(meaning, null, changed);
    }
  });
  tell({ suite: "state-ids", what: "changed messages", tried, lost: 0 });
});
