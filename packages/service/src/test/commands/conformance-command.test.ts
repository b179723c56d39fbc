// alone: commands keep the options of an earlier parse
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { conformance, conformanceIdentity, conformanceRisk } from "../../commands/conformance.ts";
import { systemClock } from "../../providers/system.ts";
import { fakeTime } from "../harness/fake-time.ts";
import { birthDate, fakeIdentitySource, fakeRiskSource, knownPhone, secret } from "../harness/vendors/fake-sources.ts";

test("`conformance identity` exits with 0 for a correct source and 1 for a wrong one, and requires --url", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-"));
  const path = join(folder, "secret");
  await writeFile(path, `${secret}\n`);
  // The command uses the system clock, so the source uses it too.
  const now = { ...fakeTime(), clock: systemClock };
  const correct = await fakeIdentitySource(now);
  const wrong = await fakeIdentitySource(now, (answer) => ({ ...answer, phone: "+16502530001" }));
  const values = { secretFile: path, phone: knownPhone, birthDate, unknownPhone: "+16502530009" };
  assert.equal(await conformanceIdentity({ ...values, url: correct.url }), 0);
  assert.equal(await conformanceIdentity({ ...values, url: wrong.url }), 1);
  const withoutUrl = ["--secret-file", path, "--phone", knownPhone];
  const person = ["--birth-date", birthDate, "--unknown-phone", "+16502530009"];
  await assert.rejects(conformance.parseAsync(["identity", ...withoutUrl, ...person], { from: "user" }), /--url/);
  await rm(folder, { recursive: true });
});

test("`conformance risk` exits with 0 for a correct source and 1 for a wrong one, and requires --url", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-"));
  const path = join(folder, "secret");
  await writeFile(path, `${secret}\n`);
  const now = { ...fakeTime(), clock: systemClock };
  const values = { secretFile: path, phone: knownPhone };
  const exitCode = async (change?: (answer: object) => object) =>
    await conformanceRisk({ ...values, url: (await fakeRiskSource(now, change)).url });
  assert.equal(await exitCode(), 0);
  assert.equal(await exitCode((answer) => ({ ...answer, phone: "+16502530001" })), 1);
  assert.equal(await exitCode((answer) => ({ ...answer, score: 1_001 })), 1);
  const withoutUrl = ["--secret-file", path, "--phone", knownPhone];
  await assert.rejects(conformance.parseAsync(["risk", ...withoutUrl], { from: "user" }), /--url/);
  await rm(folder, { recursive: true });
});
