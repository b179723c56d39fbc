import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { conformance, conformanceIdentity, conformanceRisk } from "../commands/conformance.ts";
import { systemClock } from "../providers/system.ts";
import { birthDate, fakeIdentitySource, fakeRiskSource, knownPhone, secret } from "./fake-sources.ts";
import { fakeTime } from "./fake-time.ts";

test("`conformance identity` ends with 0 for a sound source, with 1 for a poor one, and wants to know what it needs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-"));
  const path = join(folder, "secret");
  await writeFile(path, `${secret}\n`);
  // The command uses the system clock, so the source uses it too.
  const now = { ...fakeTime(), clock: systemClock };
  const sound = await fakeIdentitySource(now);
  const poor = await fakeIdentitySource(now, (answer) => ({ ...answer, phone: "+16502530001" }));
  const values = { secretFile: path, phone: knownPhone, birthDate, unknownPhone: "+16502530009" };
  assert.equal(await conformanceIdentity({ ...values, url: sound.url }), 0);
  assert.equal(await conformanceIdentity({ ...values, url: poor.url }), 1);
  const withoutUrl = ["--secret-file", path, "--phone", knownPhone];
  const person = ["--birth-date", birthDate, "--unknown-phone", "+16502530009"];
  await assert.rejects(conformance.parseAsync(["identity", ...withoutUrl, ...person], { from: "user" }), /--url/);
  await rm(folder, { recursive: true });
});

test("`conformance risk` does the same for a source of scores", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-"));
  const path = join(folder, "secret");
  await writeFile(path, `${secret}\n`);
  const now = { ...fakeTime(), clock: systemClock };
  const values = { secretFile: path, phone: knownPhone };
  const ending = async (twist?: (answer: object) => object) =>
    await conformanceRisk({ ...values, url: (await fakeRiskSource(now, twist)).url });
  assert.equal(await ending(), 0);
  assert.equal(await ending((answer) => ({ ...answer, phone: "+16502530001" })), 1);
  assert.equal(await ending((answer) => ({ ...answer, score: 1_001 })), 1);
  const withoutUrl = ["--secret-file", path, "--phone", knownPhone];
  await assert.rejects(conformance.parseAsync(["risk", ...withoutUrl], { from: "user" }), /--url/);
  await rm(folder, { recursive: true });
});
