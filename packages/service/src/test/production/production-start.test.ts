/** The real process with production on: its files, output and answers, and the operator's commands next to it. */
import assert from "node:assert/strict";
import test from "node:test";
import { bundledPayers } from "../../providers/payers/directory.ts";
import { publicVariables } from "../harness/both-environments.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { freePort } from "../harness/free-port.ts";
import { dataDir, run, start } from "../harness/service-process.ts";
import { fakeVendor } from "../harness/vendors/fake-vendor.ts";

async function checkPayers(variables: Record<string, string>): Promise<void> {
  const known = bundledPayers().payers;
  let items = known.map(({ name, ids }, at) => ({ stediId: `S${at}`, displayName: name, primaryPayerId: ids[0] }));
  items.push({ stediId: "S-new", displayName: "A new payer", primaryPayerId: "NEW01" });
  const stedi = await fakeVendor(fakeTime(), () => ({ body: { items } }));
  const sync = () => run(["payers", "sync"], { ...variables, STEDI_API_KEY: "key", STEDI_API_URL: stedi.url });
  const first = await sync();
  assert.equal(first.code, 0, first.err);
  assert.equal(JSON.parse(first.out).payers, items.length);
  items = items.slice(0, 10);
  assert.equal((await sync()).code, 1);
  const { code, err } = await run(["payers", "sync"], variables);
  assert.equal(code, 78);
  assert.match(err, /STEDI_API_KEY: is required/);
}

test("production runs next to the sandbox, lists its missing vendors, and follows the operator's approvals", async (t) => {
  const [api, wallet] = [await freePort(), await freePort()];
  const DATA_DIR = await dataDir();
  const variables = { ...publicVariables, PRODUCTION_API_PORT: String(api), PRODUCTION_WALLET_PORT: String(wallet) };
  const service = await start(DATA_DIR, variables);

  await t.test("ready.json lists production, and the startup message names the missing vendors", () => {
    assert.deepEqual(service.ready.environments.production, {
      apiUrl: "https://api.example.com",
      walletUrl: "https://wallet.example.com",
    });
    assert.equal(service.ready.demo, undefined);
    for (const one of ["no SMS gateway", "no carrier", "no identity source", "no clearinghouse"])
      assert.ok(service.said.out.includes(`${one} (`), one);
  });

  await t.test("both production listeners respond", async () => {
    assert.equal((await fetch(`http://127.0.0.1:${api}/readyz`)).status, 200);
    assert.equal((await fetch(`http://127.0.0.1:${wallet}/terms`)).status, 200);
  });

  await t.test(
    "a new brand is rejected until the operator approves it, and then because there is no sender of texts",
    async () => {
      const json = async (...args: string[]) => {
        const { code, out, err } = await run(args, { DATA_DIR, ...variables });
        assert.equal(code, 0, err);
        return JSON.parse(out);
      };
      const customer = await json("customers", "create", "--name", "Piper", "--email", "r@example.com");
      const inProduction = ["--environment", "production"];
      const brand = await json(
        "brands",
        "create",
        "--customer",
        customer.uuid,
        "--name",
        "P",
        "--type",
        "api",
        ...inProduction,
      );
      const headers = { authorization: brand.apiKey, "content-type": "application/json" };
      const begin = () =>
        fetch(`http://127.0.0.1:${api}/v2/1-click/verifications`, {
          method: "POST",
          headers,
          body: JSON.stringify({ channel: "sms", phone: "+16502530000" }),
        }).then(async (answer) => `${answer.status} ${((await answer.json()) as { message: string }).message}`);
      assert.equal(await begin(), "403 The operator has not approved this brand for production.");
      await json("approvals", "grant", "--brand", brand.uuid, ...inProduction, "production");
      // The approval reaches the other process within moments. If it does not, this test times out.
      let said = await begin();
      while (said.includes("approved")) said = await begin();
      assert.equal(said, "403 The sms channel is not available: no SMS gateway is configured.");
    },
  );

  await t.test("payers sync imports the clearinghouse's list, and fails when most of the payers are missing", () =>
    checkPayers({ DATA_DIR, ...variables }),
  );

  const { code } = await service.stop("SIGTERM");
  assert.equal(code, 0);
});
