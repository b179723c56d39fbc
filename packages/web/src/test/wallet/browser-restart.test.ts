import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readConfig } from "../../../../service/src/config/config.ts";
import { openService, type Running } from "../../../../service/src/service.ts";
import { cloneDatabase } from "../../../../service/src/test/harness/database-template.ts";
import { buttonNamed, launchBrowser, viewports } from "../harness/browser.ts";

const database = await cloneDatabase("empty");
const dataDir = await mkdtemp(join(tmpdir(), "countersign-restart-"));
const log = { info() {}, warn() {}, error() {} };
const browser = await launchBrowser("shell");
let service: Running = await start({ wallet: 0, api: 0 });
after(async () => {
  await browser.close();
  await service.stop();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

function start({ wallet, api }: { wallet: number; api: number }): Promise<Running> {
  const ports = { WALLET_PORT: String(wallet), API_PORT: String(api), DASHBOARD_PORT: "0", OPERATOR_PORT: "0" };
  return openService(readConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...ports }), log, null);
}
const portOf = (url: string) => Number(new URL(url).port);

for (const on of ["phone", "desktop"] as const)
  test(`${on}: when the service is down at the decision, the page shows an error and continues after the restart`, async () => {
    const { apiUrl, walletUrl } = service.ready.environments.sandbox;
    const call = async (path: string, body?: object) => {
      const response = await fetch(`${apiUrl}/v2${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: "sk_sandbox_demo_hosted", "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, string>;
    };
    const begun = await call("/1-click", { phone: "+12125550010" });
    const page = await browser.newPage(viewports[on]);
    await page.goto(begun.url ?? "");
    await page.getByRole("textbox", { name: "Verification code" }).fill(begun.code ?? "");
    await page.locator('main[data-step="review"]').waitFor();

    await service.stop();
    await page.getByRole("button", buttonNamed("Share")).click();
    const lost = "No connection. Your details may already have been shared. It’s safe to choose Share again.";
    await page.getByText(lost).waitFor();
    service = await start({ wallet: portOf(walletUrl), api: portOf(apiUrl) });

    await page.getByRole("button", buttonNamed("Share")).click();
    await page.waitForURL(/\/demo\/landing\?identityUuid=/);
    assert.ok((await call(`/1-click/${begun.uuid}`)).credentials);
  });
