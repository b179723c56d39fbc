/** The commands for people who debug with a payer. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { countersign } from "../../commands/commands.ts";
import { terminal } from "../../commands/output.ts";
import { readSegments } from "../../domain/health/x12/segments.ts";
import { answer271, answerAboutPat, pat, trace } from "../harness/answer-271.ts";

const folder = await mkdtemp(join(tmpdir(), "countersign-x12-"));
test.after(() => rm(folder, { recursive: true }));

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

/** Runs a command, and returns what it printed and its exit code. */
async function run(t: test.TestContext, ...args: string[]) {
  const said = { out: "", err: "" };
  for (const where of ["out", "err"] as const)
    t.mock.method(terminal, where, (text: string) => {
      said[where] += text;
    });
  await countersign.parseAsync(["x12", ...args], { from: "user" });
  const code = process.exitCode;
  process.exitCode = 0;
  return { ...said, code };
}

const person = {
  firstName: "Pat",
  middleName: "Q",
  lastName: "Sample",
  birthDate: "1980-01-15",
  sex: "Female",
  ssn: "123456789",
  memberId: "MEM 100-200",
  address: { line1: "1 Test St", city: "Austin", state: "Texas", zipCode: "78701" },
};

test("x12 compose prints the 270 that the service would send", async (t) => {
  const request = {
    payer: { name: "Aetna", id: "60054" },
    provider: { npi: "1003000126", name: "Hartman", type: "individual" },
    person,
    serviceTypeCodes: ["30", "98"],
    trace: "T1",
  };
  const { out, err, code } = await run(t, "compose", await fileOf("request.json", JSON.stringify(request)));
  assert.equal(code, 0);
  assert.deepEqual(
    readSegments(out)
      .map(({ raw }) => raw)
      .slice(4, -3),
    [
      "HL*1**20*1",
      "NM1*PR*2*AETNA*****PI*60054",
      "HL*2*1*21*1",
      "NM1*1P*1*HARTMAN*****XX*1003000126",
      "HL*3*2*22*0",
      "TRN*1*T1*9COUNTERSN",
      "NM1*IL*1*SAMPLE*PAT*Q***MI*MEM100200",
      "N3*1 TEST ST",
      "N4*AUSTIN*TX*78701",
      "DMG*D8*19800115*F",
      "EQ*30^98",
    ],
  );
  assert.equal(err, "ssn: left out, because the member ID is enough\n");
});

test("x12 compose says what it leaves out and why, and knows federal payers by their ID", async (t) => {
  const { memberId: _known, ...unknown } = person;
  const address = { line1: "1 Test St", state: "Nowhere" };
  const whom = { ...unknown, memberId: null, sex: "Non-Binary", address };
  const request = { payer: { name: "A payer", id: "99727" }, provider: null, person: whom };
  const { out, err } = await run(t, "compose", await fileOf("federal.json", JSON.stringify(request)));
  assert.doesNotMatch(out, /REF\*SY|N3\*|N4\*/);
  assert.deepEqual(err.trim().split("\n"), [
    "ssn: left out, because federal payers must not get it",
    "address: left out, because it has no city in Latin letters",
    "sex: left out, because a 270 knows only Male and Female",
  ]);
});

test("x12 compose names the field of a request that cannot be sent", async (t) => {
  for (const [content, expected] of [
    ["{", /^request: Use JSON/],
    ["{}", /request\.person: /],
    ['{"person":{"lastName":"李"}}', /^request\.person\.lastName: Use Latin letters/],
    ['{"person":{"lastName":"Li","memberId":"1"}}', /^request\.person\.memberId: /],
    ['{"person":{"lastName":"Li","birthDate":"soon"}}', /^request\.person\.birthDate: /],
    ['{"person":{"lastName":"Li"},"provider":{"name":"A","npi":"1234567890"}}', /^request\.provider\.npi: /],
  ] as const) {
    const { out, err, code } = await run(t, "compose", await fileOf("bad.json", content));
    assert.deepEqual([out, code], ["", 1], content);
    assert.match(err, expected, content);
  }
  assert.equal((await run(t, "compose", join(folder, "none.json"))).code, 1);
});

test("x12 parse with a request says what the service makes of the answer", async (t) => {
  const request = await fileOf("asked.json", JSON.stringify({ person, trace }));
  const [, , name = ""] = pat;
  const other = "DMG*D8*19630519*M";
  const answers = {
    plan: answerAboutPat("EB*1**30**PPO"),
    withheld: answer271("HL*3*2*22*0", name, other, "EB*1**30"),
    rejected: answer271(...pat, "AAA*N**42*R"),
  };
  const lines: Record<string, { eligibility: unknown; isTemporary: boolean; rejections: object[] }> = {};
  for (const [outcome, bytes] of Object.entries(answers)) {
    const { out, code } = await run(t, "parse", "--request", request, await fileOf(`${outcome}.271`, bytes));
    const line = JSON.parse(out);
    assert.equal(out.split("\n").length, 2);
    assert.deepEqual([line.outcome, code], [outcome, 0]);
    lines[outcome] = line;
  }
  assert.deepEqual(lines.plan?.rejections, []);
  assert.equal(lines.plan?.isTemporary, false);
  assert.deepEqual(lines.rejected?.rejections, [
    {
      loop: "2100C",
      code: "42",
      action: "R",
      valid: "N",
      meaning: "Payer unavailable: it is temporarily unable to answer (AAA 42)",
    },
  ]);
  assert.equal(lines.rejected?.isTemporary, true);
  const { out } = await run(t, "parse", "--request", request, await fileOf("not.271", "<html>"));
  assert.equal(JSON.parse(out).error.kind, "html");
});

test("x12 parse refuses a request without a last name, and reads nothing", async (t) => {
  const request = await fileOf("nobody.json", '{"person":{}}');
  const { out, err, code } = await run(t, "parse", "--request", request, await fileOf("any.271", answerAboutPat()));
  assert.deepEqual([out, code], ["", 1]);
  assert.match(err, /request\.person\.lastName/);
});

test("x12 explain prints a line per segment, with names, loops and codes in words", async (t) => {
  const bytes = answerAboutPat(
    "EB*C*IND*30*PR*GOLD*23*1500*****Y",
    "DTP*291*RD8*20260101-20261231",
    "LS*2120",
    "NM1*VN*2*OPTUM\u0007\nFORGED",
    "PER*IC**TE*8005550143",
    "LE*2120",
    "AAA*Y**55*C",
    "EB*ZZ**X9",
  );
  const { out, code } = await run(t, "explain", await fileOf("explained.271", bytes));
  assert.equal(code, 0);
  const lines = out.split("\n");
  assert.equal(lines.length, readSegments(bytes.toString()).length + 1);
  for (const expected of [
    "    HL Level: payer (20)",
    "        HL Level: subscriber (22)",
    "          NM1 Name: insured person (IL), PAT SAMPLE, ID MEM100200",
    "          EB Benefit: deductible (C), individual (IND), for whole plan (30), PPO (PR), plan GOLD, amount 1500, per calendar year (23), in network yes (Y)",
    "            DTP Date: plan (291), 2026-01-01 to 2026-12-31",
    "              PER Contact: phone (TE) 8005550143",
    "            AAA Rejection: the request is valid, The payer could not answer for a requested service: invalid procedure code (AAA 55), correct it and ask again (C)",
    "          EB Benefit: ZZ, for X9",
  ])
    assert.ok(lines.includes(expected), `${expected}\n${out}`);
  assert.doesNotMatch(out.replaceAll("\n", ""), /\p{Cc}/u);
  const refused = await run(t, "explain", await fileOf("none.271", "{}"));
  assert.deepEqual([refused.code, refused.out], [1, ""]);
});
