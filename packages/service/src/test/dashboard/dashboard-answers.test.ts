// alone: its harness is one service, which other files also use
/** The texts that receivers answer with: who can read them, and when they are erased. */
import assert from "node:assert/strict";
import test from "node:test";
import { audit, happen, hooked, hour, it, list, owner, receiver, viewer } from "../harness/dashboard-webhooks.ts";

const said = "Richard Hendricks is unknown here";
const stored = () => it.store.db.selectFrom("webhook_attempt").select(["sealed"]).execute();

/** A brand whose receiver refuses an event twice, with a text, and then accepts it without one. */
async function refusedTwice() {
  const { brand, base, one } = await hooked();
  Object.assign(receiver, { status: 500, text: said });
  await happen(brand);
  await it.runJobs();
  receiver.text = "x".repeat(5_000);
  await it.advance(60_000);
  Object.assign(receiver, { status: 204, text: "" });
  await it.advance(5 * 60_000);
  const [line] = (await list(base)).data;
  assert.ok(line !== undefined);
  return { brand, one, base, line, path: `${base}/deliveries/${line.uuid}` };
}

test("an answer's text is sealed, shown only after Reveal, and the audit log says who read it", async () => {
  const { brand, line, path } = await refusedTwice();
  assert.deepEqual(
    line.attempts.map(({ httpStatus, hasText }) => [httpStatus, hasText]),
    [
      [500, true],
      [500, true],
      [204, false],
    ],
  );
  for (const { sealed } of await stored()) assert.ok(sealed === null || !sealed.includes("Richard"));
  const read = await viewer.call("GET", path);
  assert.ok(!JSON.stringify(read.body).includes(said));
  assert.equal((await viewer.call("POST", `${path}/reveal`)).status, 403);
  const revealed = await owner.call("POST", `${path}/reveal`);
  const texts = (revealed.body.answers as { text: string }[]).map(({ text }) => text);
  assert.deepEqual(texts, [said, "x".repeat(1_024)]);
  assert.equal((await audit(brand.uuid)).filter(({ action }) => action === "delivery.revealed").length, 1);
});

test("an answer's text is erased with the body: an hour after the acknowledgment, or with the webhook", async () => {
  const first = await refusedTwice();
  await it.advance(hour + 60_000);
  const [line] = (await list(first.base)).data;
  assert.deepEqual([line?.isErased, line?.attempts.some(({ hasText }) => hasText)], [true, false]);
  const second = await refusedTwice();
  assert.equal((await owner.call("DELETE", second.one)).status, 200);
  assert.deepEqual(new Set((await stored()).map(({ sealed }) => sealed)), new Set([null]));
});
