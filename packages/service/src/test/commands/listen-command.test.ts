/** Commands for developers who integrate, run next to a running service. */
import assert from "node:assert/strict";
import test from "node:test";
import { eventually } from "../harness/eventually.ts";
import { countersign, dataDir, run, start, suiteDatabase } from "../harness/service-process.ts";
import { hookReceiver, signatureUnder } from "../harness/webhook-receiver.ts";

const event = "1-click.health.lookup";

test("`listen` forwards signed events, `trigger` creates test events, and both report why they cannot run", async (t) => {
  const DATA_DIR = await dataDir();
  const early = await run(["health"], { DATA_DIR });
  assert.deepEqual([early.code, early.err], [1, `no service is ready in ${DATA_DIR}\n`]);
  const service = await start(DATA_DIR, await suiteDatabase());
  const { received, answer, url } = await hookReceiver();

  await t.test("`health` exits with 0", async () => assert.equal((await run(["health"], { DATA_DIR })).code, 0));

  await t.test("`trigger` exits with 1 and an error without a webhook or for an unknown event", async () => {
    const none = await run(["trigger", event], { DATA_DIR });
    assert.equal(none.code, 1);
    assert.match(none.err, /no active webhook/);
    const unknown = await run(["trigger", "1-click.health"], { DATA_DIR });
    assert.equal(unknown.code, 1);
    assert.match(unknown.err, new RegExp(`must be one of ${event}`));
  });

  await t.test(
    "`listen` forwards an event once, signed with the printed secret, prints a line, and exits with 0 on Ctrl-C",
    async () => {
      const listener = countersign(["listen", "--forward", url, "--json"], { DATA_DIR });
      const lines = async (count: number) => {
        await listener.until(() => listener.said.out.split("\n").length > count);
        return listener.said.out
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
      };
      const [first] = await lines(1);
      assert.match(first.signingSecret, /^whsec_/);
      const triggered = await run(["trigger", event], { DATA_DIR });
      assert.equal(triggered.code, 0, triggered.err);
      const [, line] = await lines(2);
      const [delivery] = JSON.parse(triggered.out).deliveries;
      assert.deepEqual({ ...line, durationMs: 0 }, { event, delivery, attempt: 1, httpStatus: 204, durationMs: 0 });
      const [one = assert.fail()] = received;
      const { "x-webhook-timestamp": timestamp, "x-webhook-signature": signature } = one.headers;
      assert.equal(signature, signatureUnder(first.signingSecret, timestamp, one.body));
      assert.equal(JSON.parse(one.body).test, true);
      assert.equal(received.length, 1);
      Object.assign(answer, { status: 500, text: `wrong \u001b[31msignature ${"x".repeat(1000)}` });
      const resent = await run(["events", "resend", delivery], { DATA_DIR });
      assert.deepEqual([resent.code, JSON.parse(resent.out)], [0, { delivery, status: "pending" }]);
      const [, , second] = await lines(3);
      assert.deepEqual([second.delivery, second.httpStatus], [delivery, 500]);
      assert.match(second.response, /^wrong .{3,5}signature x+$/);
      assert.equal(second.response.length, 500);
      const unknown = await run(["events", "resend", "7c1f6e0d-9a21-4b86-8f4a-5f0c2a529d3e"], { DATA_DIR });
      assert.equal(unknown.code, 1);
      assert.match(unknown.err, /returned 404/);
      listener.child.kill("SIGINT");
      assert.deepEqual((({ code, err }) => ({ code, err }))(await listener.exit), { code: 0, err: "" });
      const after = await run(["trigger", event], { DATA_DIR });
      assert.match(after.err, /no active webhook/);
    },
  );

  await t.test("`listen` exits with 1 for a refused key and for a missing or invalid --forward", async () => {
    const { apiUrl } = service.ready.environments.sandbox;
    const wrong = await run(["listen", "--forward", url, "--key", "sk_sandbox_nobody"], { DATA_DIR });
    assert.deepEqual([wrong.code, wrong.out], [1, ""]);
    assert.match(wrong.err, new RegExp(`^${apiUrl} returned 401`));
    assert.equal((await run(["listen"], { DATA_DIR })).code, 1);
    assert.equal((await run(["listen", "--forward", "ftp://localhost/"], { DATA_DIR })).code, 1);
    const remote = await run(["listen", "--forward", url, "--api", "http://localhost:1"], { DATA_DIR });
    assert.match(remote.err, /--key/);
  });

  await service.stop("SIGTERM");
  assert.equal((await run(["health"], { DATA_DIR })).code, 1);
});

test("`listen` forwards to a host of the developer's own, such as a name below localhost", async () => {
  const DATA_DIR = await dataDir();
  const service = await start(DATA_DIR, await suiteDatabase());
  const { received, url } = await hookReceiver();
  const own = new URL(url);
  own.hostname = "shop.localhost";
  const listener = countersign(["listen", "--forward", own.href], { DATA_DIR });
  await listener.until(() => listener.said.out.includes("Signing secret: whsec_"));
  assert.equal((await run(["trigger", event], { DATA_DIR })).code, 0);
  await listener.until(() => listener.said.out.includes("  204 in "));
  assert.equal(received[0]?.headers.host, own.host);
  listener.child.kill("SIGINT");
  await listener.exit;
  await service.stop("SIGTERM");
});

test("`listen` says which URLs it accepts", async () => {
  const { code, err } = await run(["listen", "--forward", "localhost:9000"], { DATA_DIR: await dataDir() });
  const accepted = "must be an http or https URL, such as http://localhost:9000/hook";
  assert.deepEqual([code, err], [1, `Refused:\n  --forward: ${accepted}\n`]);
});

test("if the receiver refuses an event, `listen` asks about the secret", async () => {
  const DATA_DIR = await dataDir();
  const service = await start(DATA_DIR, await suiteDatabase());
  const { answer, url } = await hookReceiver();
  const listener = countersign(["listen", "--forward", url], { DATA_DIR });
  const until = (words: string) => listener.until(() => listener.said.out.includes(words));
  await until("Signing secret: whsec_");
  for (const status of [500, 400, 401]) {
    Object.assign(answer, { status, text: "no" });
    assert.equal((await run(["trigger", event], { DATA_DIR })).code, 0);
    await until(`  ${status} in `);
  }
  listener.child.kill("SIGINT");
  const { out } = await listener.exit;
  assert.equal(out.match(/\n {2}no\n {2}Does your receiver use the signing secret above\?\n/g)?.length, 2);
  assert.doesNotMatch(out, / 500 in \d+ ms\n {2}no\n {2}Does/);
  await service.stop("SIGTERM");
});

test("`events show` shows each attempt at an event with what the receiver answered", async () => {
  const DATA_DIR = await dataDir();
  const service = await start(DATA_DIR, await suiteDatabase());
  const { answer, url } = await hookReceiver();
  const { apiUrl } = service.ready.environments.sandbox;
  const [brand] = service.ready.demo?.brands ?? [];
  Object.assign(answer, { status: 500, text: "wrong signature" });
  const made = await fetch(`${apiUrl}/sandbox/brands/${brand?.uuid}/webhooks`, {
    method: "POST",
    headers: { authorization: brand?.apiKey ?? "", "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  assert.equal(made.status, 201);
  const [delivery] = JSON.parse((await run(["trigger", event], { DATA_DIR })).out).deliveries;
  const [first, ...others] = await eventually(async () => {
    const { code, out, err } = await run(["events", "show", delivery], { DATA_DIR });
    assert.equal(code, 0, err);
    const attempts = JSON.parse(out);
    return attempts.length === 0 ? undefined : attempts;
  });
  assert.deepEqual(others, []);
  assert.deepEqual(
    { ...first, at: "", durationMs: 0 },
    { at: "", result: 500, durationMs: 0, answer: "wrong signature" },
  );
  await service.stop("SIGTERM");
});
