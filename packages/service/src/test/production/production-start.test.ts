/** The real process with production on: its files, output and answers, and the operator's commands next to it. */
import assert from "node:assert/strict";
import test from "node:test";
import { bundledPayers } from "../../providers/payers/directory.ts";
import { publicVariables } from "../harness/both-environments.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { freePort } from "../harness/free-port.ts";
import { dataDir, run, start } from "../harness/service-process.ts";
import { fakeVendor } from "../harness/vendors/fake-vendor.ts";

async function checkPayers(variables: Record<string, string>, logoOf: (id: string) => Promise<string>): Promise<void> {
  const known = bundledPayers().payers;
  let items = known.map(({ name, ids }, at) => ({ stediId: `S${at}`, displayName: name, primaryPayerId: ids[0] }));
  items.push({ stediId: "S-new", displayName: "A new payer", primaryPayerId: "NEW01" });
  const stedi = await fakeVendor(fakeTime(), () => ({ body: { items } }));
  const sync = () => run(["payers", "sync"], { ...variables, STEDI_API_KEY: "key", STEDI_API_URL: stedi.url });
  const first = await sync();
  assert.equal(first.code, 0, first.err);
  assert.equal(JSON.parse(first.out).payers, items.length);
  const picture = (...given: string[]) => run(["payers", "picture", ...given], variables);
  const [payer] = known;
  const id = payer?.vendorId ?? "";
  const url = "https://cdn.example/payer.svg";
  assert.deepEqual(JSON.parse((await picture(id, url)).out), { payer: payer?.name, picture: url });
  // The other process reloads the list within moments. If it does not, these loops time out.
  while ((await logoOf(id)) !== url);
  assert.equal((await sync()).code, 0);
  assert.equal(await logoOf(id), url, "a sync keeps the picture");
  assert.equal((await picture(id, "none")).code, 0);
  while (!/\/payers\/V\w+\.svg$/.test(await logoOf(id)));
  assert.match((await picture(id, "http://cdn.example/x.png")).err, /must be an https URL, or none/);
  assert.match((await picture("V-none", "none")).err, /No single insurer has the ID V-none/);
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
  let apiKey = "";
  /** The picture of an insurer as the service names it. It reloads the list a moment after a command. */
  const logoOf = async (id: string): Promise<string> => {
    const url = `http://127.0.0.1:${api}/v2/1-click/health/payers?$search=${id}`;
    const answer = await fetch(url, { headers: { authorization: apiKey } });
    assert.equal(answer.status, 200, await answer.clone().text());
    const { data } = await answer.json();
    return String(data[0]?.logoUrl);
  };

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
        customer.customer,
        "--name",
        "P",
        "--type",
        "api",
        ...inProduction,
      );
      const headers = { authorization: brand.apiKey, "content-type": "application/json" };
      apiKey = brand.apiKey;
      const begin = () =>
        fetch(`http://127.0.0.1:${api}/v2/1-click/verifications`, {
          method: "POST",
          headers,
          body: JSON.stringify({ channel: "sms", phone: "+16502530000" }),
        }).then(async (answer) => `${answer.status} ${((await answer.json()) as { message: string }).message}`);
      assert.equal(await begin(), "403 The operator has not approved this brand for production.");
      await json("approvals", "grant", "--brand", brand.brand, ...inProduction, "production");
      // The approval reaches the other process within moments. If it does not, this test times out.
      let said = await begin();
      while (said.includes("approved")) said = await begin();
      assert.equal(said, "403 The sms channel is not available: no SMS gateway is configured.");
    },
  );

  await t.test(
    "payers sync imports the clearinghouse's list and keeps pictures, and fails if most payers are missing",
    () => checkPayers({ DATA_DIR, ...variables }, logoOf),
  );

  const { code } = await service.stop("SIGTERM");
  assert.equal(code, 0);
});
