import assert from "node:assert/strict";
import test from "node:test";
import { findLookup } from "../../domain/health/lookup-rows.ts";
import { callOnce } from "../../domain/health/paid-call.ts";
import { startLookup } from "../../domain/health/request.ts";
import { runLookup } from "../../domain/health/steps.ts";
import type { CheckAnswer, Clearinghouse, DiscoveryAnswer } from "../../domain/ports.ts";
import { sandboxClearinghouse } from "../../providers/sandbox/clearinghouse.ts";
import { callerOf } from "../harness/below-http.ts";
import { errorsOf, lookUp, memberIds, person, plansOf, richard } from "../harness/health-lookup.ts";
import { afterRead } from "../harness/interrupted.ts";
import { sandbox } from "../harness/sandbox.ts";
import { noWorker } from "../harness/test-jobs.ts";

type Check = Parameters<Clearinghouse["check"]>[0];
type Discover = Parameters<Clearinghouse["discover"]>[0];
const usual = sandboxClearinghouse();
const calls: string[] = [];
const checks: Check[] = [];
let onCheck: (question: Check, times: number) => Promise<CheckAnswer> = usual.check;
let onDiscover: (question: Discover) => Promise<DiscoveryAnswer> = usual.discover;
const fake: Clearinghouse = {
  ...usual,
  async discover(question) {
    calls.push("discover");
    return await onDiscover(question);
  },
  async check(question) {
    calls.push(`check ${question.payer.id}`);
    checks.push(question);
    return await onCheck(question, calls.filter((call) => call.startsWith("check")).length);
  },
};
const it = await sandbox({ vendors: { clearinghouse: fake } });

test.beforeEach(() => {
  calls.length = 0;
  checks.length = 0;
  onCheck = usual.check;
  onDiscover = usual.discover;
});

const second = 1_000;
const rejection =
  (code: string, action = "C") =>
  (question: Check) =>
    usual
      .check({ ...question, memberId: "NOTFOUND001", payer: { id: "60054", name: "Aetna" } })
      .then(
        (answer): CheckAnswer =>
          answer.kind === "answered"
            ? { kind: "answered", x12: answer.x12.replace("AAA*N**75*C", `AAA*N**${code}*${action}`) }
            : answer,
      );
const typed = { ...richard, memberId: "A484069", payer: { id: "60054" } };

test("each step makes one call, and each check has its own control number and trace number", async () => {
  await lookUp(it, richard);
  assert.deepEqual(calls, ["discover", "check 60054", "check 87726"]);
  const controls = checks.map(({ x12 }) => /ISA\*.*?\*00501\*(\d{9})/.exec(x12)?.[1]);
  assert.equal(new Set(controls).size, 2);
  assert.equal(new Set(checks.map(({ trace }) => trace)).size, 2);
  for (const { x12, trace } of checks) {
    assert.ok(x12.includes(`TRN*1*${trace}*`));
    assert.match(x12, /\*T\*:~GS\*HS/);
  }
});

test("a call whose response was lost is not repeated, however often the job runs", async () => {
  onCheck = async () => {
    throw new Error("the line broke after the question was sent");
  };
  const { body } = await it.api.createHealthLookup({ body: typed });
  await it.runJobs();
  const cell = await it.deps.cells.ofUuid(body.healthDataUuid);
  for (let again = 0; again < 3; again += 1) await runLookup(cell, { healthDataUuid: body.healthDataUuid });
  assert.deepEqual(calls, ["check 60054"]);
  const entity = (await it.api.readHealthLookup({ params: { healthDataUuid: body.healthDataUuid } })).body;
  assert.equal(entity.status, "FAILED");
  assert.deepEqual(errorsOf(entity), ["The eligibility check was interrupted and will not be repeated"]);
});

test("a call cut off by a crash is not paid for again, and the next process ends the lookup after the deadline", async () => {
  // Make the job due in an hour, so that the worker leaves the lookup to this test.
  const clock = { now: () => it.deps.clock.now() + 3_600 * second };
  const { uuid } = await startLookup({ ...it.deps, clock, worker: noWorker }, await callerOf(it), richard);
  const params = { healthDataUuid: uuid };
  // Simulate a kill: the discovery is answered, and the first check is under way.
  let killed = false;
  onCheck = () => {
    killed = true;
    return new Promise(() => {});
  };
  const dying = runLookup(it.deps, params);
  dying.catch(() => {});
  while (!killed) await new Promise((resolve) => setImmediate(resolve));
  onCheck = usual.check;
  assert.deepEqual(calls, ["discover", "check 60054"]);
  await runLookup(it.deps, params);
  assert.equal((await it.api.readHealthLookup({ params })).body.status, "PROCESSING");
  assert.deepEqual(calls, ["discover", "check 60054"]);
  await it.advance(60 * second);
  const entity = (await it.api.readHealthLookup({ params })).body;
  assert.deepEqual(calls, ["discover", "check 60054", "check 87726"]);
  assert.equal(entity.status, "PARTIAL");
  assert.deepEqual(memberIds(entity), ["A484069", "B231615071"]);
  assert.deepEqual(Object.keys(plansOf(entity)[0] ?? {}).includes("edi_271"), false);
  assert.deepEqual(errorsOf(entity), ["The eligibility check was interrupted and will not be repeated"]);
});

test("an answer that is stored while another worker gives the call up is used", async () => {
  // Its job is due in an hour, so that only this test makes its calls.
  const clock = { now: () => it.deps.clock.now() + 3_600 * second };
  const { uuid } = await startLookup({ ...it.deps, clock, worker: noWorker }, await callerOf(it), typed);
  const lookup = (await findLookup(it.deps, it.deps.db, uuid)) ?? assert.fail();
  const [late, asked] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const work = {
    name: "slow",
    isTemporary: () => false,
    async call() {
      asked.resolve();
      return await late.promise;
    },
  };
  const slow = callOnce(it.deps, lookup, work);
  await asked.promise;
  const afterDeadline = { ...it.deps, clock: { now: () => it.deps.clock.now() + 60 * second } };
  const answers = async () => {
    late.resolve("found");
    await slow;
  };
  assert.equal((await callOnce(afterRead(afterDeadline, "health_call", answers), lookup, work)).kind, "delayed");
  const again = await callOnce(afterDeadline, lookup, work);
  assert.deepEqual(again, await slow);
});

test("concurrent workers on one lookup make each call only once", async () => {
  const { body } = await it.api.createHealthLookup({ body: richard });
  const params = { healthDataUuid: body.healthDataUuid };
  const cell = await it.deps.cells.ofUuid(body.healthDataUuid);
  await Promise.all(Array.from({ length: 5 }, () => runLookup(cell, params)));
  await it.advance(60 * second);
  assert.deepEqual(calls, ["discover", "check 60054", "check 87726"]);
  assert.equal((await it.api.readHealthLookup({ params })).body.status, "SUCCEEDED");
});

test("a check is retried at most twice when the payer is unavailable, and then ends in an error", async () => {
  onCheck = async (question, times) => (times < 3 ? await rejection("42", "R")(question) : await usual.check(question));
  const { body } = await it.api.createHealthLookup({ body: typed });
  const params = { healthDataUuid: body.healthDataUuid };
  await it.runJobs();
  assert.equal((await it.api.readHealthLookup({ params })).body.status, "PROCESSING");
  await it.advance(10 * second);
  assert.equal((await it.api.readHealthLookup({ params })).body.status, "SUCCEEDED");
  assert.equal(calls.length, 3);

  calls.length = 0;
  onCheck = async () => ({ kind: "failed", retryable: true });
  const busy = (await it.api.createHealthLookup({ body: typed })).body;
  await it.advance(20 * second);
  const entity = (await it.api.readHealthLookup({ params: { healthDataUuid: busy.healthDataUuid } })).body;
  assert.deepEqual(
    [entity.status, errorsOf(entity)],
    ["FAILED", ["Payer unavailable: the eligibility check was not answered"]],
  );
  assert.equal(calls.length, 3);
});

test("a payer that forbids another question is not asked again, in whatever way", async () => {
  for (const code of ["42", "72"]) {
    calls.length = 0;
    onCheck = rejection(code, "N");
    const entity = await lookUp(it, typed);
    await it.advance(20 * second);
    assert.equal(entity.status, "FAILED", code);
    assert.equal(calls.length, 1, code);
  }
});

test("when a payer rejects the search data, the lookup checks once more with other data", async () => {
  const asked = { ...typed, sex: "Male" as const };
  const expected: Record<string, RegExp> = {
    "71": /NM1\*IL\*1\*HENDRICKS\*RICHARD\*{4}MI\*A484069~(?!.*DMG)/,
    "72": /NM1\*IL\*1\*HENDRICKS\*RICHARD~.*DMG\*D8\*19890801\*M/,
    "73": /NM1\*IL\*1\*HENDRICKS\*{5}MI\*A484069~.*DMG\*D8\*19890801\*M/,
    "74": /MI\*A484069~.*DMG\*D8\*19890801~/,
    "75": /NM1\*IL\*1\*HENDRICKS\*RICHARD~.*DMG/,
  };
  for (const [code, pattern] of Object.entries(expected)) {
    calls.length = 0;
    checks.length = 0;
    onCheck = async (question, times) =>
      times === 1 ? await rejection(code)(question) : await usual.check({ ...question, memberId: "A484069" });
    const entity = await lookUp(it, asked);
    assert.equal(entity.status, "SUCCEEDED", code);
    assert.equal(checks.length, 2);
    assert.match(checks[1]?.x12 ?? "", pattern, code);
  }
  calls.length = 0;
  onCheck = rejection("72");
  const entity = await lookUp(it, asked);
  assert.deepEqual(errorsOf(entity), [
    "No coverage found",
    "The payer did not recognize the person: member id missing or invalid (AAA 72)",
  ]);
  assert.equal(calls.length, 2);
});

test("after a rejected name or birth date, an answer about a relative with the same member ID counts as no coverage", async () => {
  const relative = { firstName: "Winnie", lastName: "Hendricks", birthDate: "1991-02-02" };
  for (const code of ["71", "73"]) {
    calls.length = 0;
    onCheck = async (question, times) =>
      times === 1
        ? await rejection(code)(question)
        : await usual.check({
            ...question,
            x12: question.x12.replace(/~NM1\*IL\*1\*[^*~]+\*[^*~]+/, "~NM1*IL*1*HENDRICKS*WINNIE"),
            memberId: "A618095",
            person: relative,
          });
    const entity = await lookUp(it, { ...typed, memberId: "A618095" });
    assert.equal(calls.length, 2, code);
    assert.equal(entity.status, "FAILED", code);
    assert.deepEqual(plansOf(entity), []);
    assert.equal(errorsOf(entity)[0], "No coverage found");
  }
});

test("a 271 about another person is withheld, and one with a changed last name is not", async () => {
  onCheck = (question) =>
    usual.check({ ...question, person: { firstName: "Some", lastName: "Other", birthDate: "1950-05-05" } });
  const entity = await lookUp(it, { ...typed, ...person("Ann", "Asked", "1960-06-06"), memberId: "A618095" });
  assert.deepEqual(
    [entity.status, errorsOf(entity)],
    ["FAILED", ["The payer's answer was about another person and was withheld"]],
  );
  assert.ok(!JSON.stringify(entity).includes("OTHER"));
  onCheck = (question) =>
    usual.check({ ...question, person: { firstName: "Ann", lastName: "Asked-Married", birthDate: "1960-06-06" } });
  assert.equal(
    (await lookUp(it, { ...typed, ...person("Ann", "Asked", "1960-06-06"), memberId: "A618095" })).status,
    "SUCCEEDED",
  );
});

test("a non-271 response, a rejected NPI, an inactive plan and a failed discovery each get their own result", async () => {
  onCheck = async (question) =>
    question.payer.id === "60054" ? { kind: "answered", x12: "<html>503</html>" } : await usual.check(question);
  const partial = await lookUp(it, richard);
  assert.equal(partial.status, "PARTIAL");
  assert.deepEqual(memberIds(partial), ["A484069", "B231615071"]);
  assert.deepEqual(errorsOf(partial), ["The payer's answer is not a 271: received markup instead of a 271"]);

  onCheck = rejection("51");
  assert.match(errorsOf(await lookUp(it, typed))[0] ?? "", /NPI.*AAA 51/);

  onCheck = (question) =>
    usual.check({ ...question, memberId: "INACTIVE60054", payer: { id: "60054", name: "Aetna" } });
  const dropped = await lookUp(it, richard);
  assert.deepEqual([dropped.status, errorsOf(dropped)], ["FAILED", ["No coverage found"]]);

  onDiscover = async () => ({ kind: "failed", retryable: false });
  assert.deepEqual(errorsOf(await lookUp(it, richard)), ["Insurance discovery is unavailable"]);
});

test("a plan found twice is returned once, and at most two plans are returned", async () => {
  const found = (payerId: string, memberId: string) => ({ payerId, memberId });
  onDiscover = async () => ({
    kind: "found",
    coverages: [
      found("60054", "A484069"),
      found("V404110", "a484069"),
      found("87726", "B231615071"),
      found("62308", "U12345678"),
      found("nowhere", "1"),
    ],
  });
  const entity = await lookUp(it, richard);
  assert.deepEqual(memberIds(entity), ["A484069", "B231615071"]);
  assert.deepEqual(calls, ["discover", "check 60054", "check 87726", "check 62308"]);
});
