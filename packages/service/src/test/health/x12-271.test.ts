import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { x12Line } from "../../commands/x12.ts";
import { rejectionText } from "../../domain/health/x12/codes.ts";
import { read271 } from "../../domain/health/x12/eligibility.ts";
import { decodeX12, X12Error } from "../../domain/health/x12/segments.ts";

const folder = new URL("./x12-samples/", import.meta.url);
type Expected = { file: string; eligibility: unknown; rejections: unknown; relatedEntities: unknown };
const samples: Expected[] = readFileSync(new URL("expected.jsonl", folder), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const bytesOf = (file: string) => readFileSync(new URL(file, folder));
function read(bytes: Uint8Array) {
  const { lines: _lines, ...found } = read271(bytes);
  return JSON.parse(JSON.stringify(found));
}

test("every sample parses to its expected result", () => {
  assert.equal(samples.length, 58);
  assert.deepEqual(
    samples.map(({ file }) => file).sort(),
    readdirSync(folder)
      .filter((name) => name.endsWith(".271"))
      .sort(),
  );
  for (const { file, eligibility, rejections, relatedEntities } of samples) {
    assert.deepEqual(read(bytesOf(file)), { eligibility, rejections, relatedEntities }, file);
  }
});

test("a body that is not a 271 gets an error that names its kind", () => {
  const kinds = {
    "ack999.txt": "ack999",
    "empty.txt": "empty",
    "html.txt": "html",
    "only-isa.txt": "onlyIsa",
    "ta1.txt": "ta1",
  };
  for (const [file, kind] of Object.entries(kinds)) {
    const line = JSON.parse(x12Line(file, bytesOf(`not-271/${file}`)));
    assert.equal(line.error.kind, kind);
    assert.equal(line.file, file);
  }
  const others = { '{"error":"no"}': "json", "Service Unavailable": "notX12", ISA: "notX12", "  \r\n": "empty" };
  for (const [text, kind] of Object.entries(others)) {
    assert.throws(
      () => read271(Buffer.from(text)),
      (error) => error instanceof X12Error && error.kind === kind,
      text,
    );
  }
  assert.match(JSON.parse(x12Line("f", bytesOf("not-271/ta1.txt"))).error.message, /TA105=018/);
});

type Segment = readonly string[];

/** Returns a sample's segments and its repetition separator, whatever its delimiters are. */
function segmentsOf(file: string): { segments: Segment[]; repetition: string } {
  const text = decodeX12(bytesOf(file));
  const element = text.charAt(3);
  const isa = text.split(element).slice(0, 17);
  const terminator = text.charAt([...isa.slice(0, 16), ""].join(element).length + 1);
  const segments = text
    .split(terminator)
    .map((segment) => segment.trim())
    .filter((segment) => segment !== "")
    .map((segment) => segment.split(element));
  return { segments, repetition: isa[11] ?? "" };
}

type Marks = { element: string; terminator: string; newLine: string; mark: string };

function rewrite(file: string, { element, terminator, newLine, mark }: Marks): Buffer {
  const { segments } = segmentsOf(file);
  const lines = segments.map((segment) => segment.join(element) + terminator + newLine);
  return Buffer.from(mark + lines.join(""));
}

test("other delimiters, line endings and a byte order mark do not change the result", () => {
  const elements = ["*", "|", "\u001d", "\u0007", "§"];
  const terminators = ["~", "\n", "\r", "'", "\u001c", "\u001e", "\u0085"];
  let rewritten = 0;
  for (const { file } of samples) {
    const text = decodeX12(bytesOf(file));
    const free = (signs: string[]) => signs.filter((sign) => !text.includes(sign) || sign === text.charAt(3));
    const { segments } = segmentsOf(file);
    const usable = terminators.filter((sign) => !segments.some((segment) => segment.join("").includes(sign)));
    for (const element of free(elements).filter((sign) => !segments.some((one) => one.join("").includes(sign))))
      for (const terminator of usable)
        for (const newLine of ["", "\n", "\r\n"])
          for (const mark of ["", "\uFEFF", " \n"]) {
            const bytes = rewrite(file, { element, terminator, newLine, mark });
            assert.deepEqual(read(bytes), read(bytesOf(file)), `${file} ${JSON.stringify([element, terminator])}`);
            rewritten += 1;
          }
  }
  assert.ok(rewritten > 5_000, `${rewritten} rewrites`);
});

test("each of 10,000 mutated inputs gives a result or a typed error", () => {
  const bodies = samples.map(({ file }) => bytesOf(file));
  const edit = fc.record({
    sample: fc.nat(bodies.length - 1),
    kind: fc.constantFrom("flip", "cut", "insert", "double", "swap"),
    at: fc.noBias(fc.nat(999_999)),
    length: fc.nat(60),
    byte: fc.nat(255),
  });
  let parsed = 0;
  let refused = 0;
  const property = fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
    let bytes: Buffer = bodies[edits[0]?.sample ?? 0] ?? Buffer.alloc(0);
    for (const one of edits) bytes = mutate(bytes, one);
    try {
      assert.ok(read271(bytes).eligibility.coverageStatus);
      parsed += 1;
    } catch (error) {
      assert.ok(error instanceof X12Error, String(error));
      refused += 1;
    }
  });
  fc.assert(property, { numRuns: 10_000, seed: 271 });
  assert.equal(parsed + refused, 10_000);
  assert.ok(parsed > 4_000 && refused > 1_000, `${parsed} parsed, ${refused} refused`);
});

type Edit = { kind: string; at: number; length: number; byte: number };
function mutate(bytes: Buffer, { kind, at, length, byte }: Edit): Buffer {
  const from = Math.floor((at / 1_000_000) * bytes.length);
  const head = bytes.subarray(0, from);
  const part = bytes.subarray(from, from + length);
  const tail = bytes.subarray(from + length);
  if (kind === "flip")
    return Buffer.concat([head, Buffer.alloc(part.length === 0 ? 0 : 1, byte), bytes.subarray(from + 1)]);
  if (kind === "cut") return Buffer.concat([head, tail]);
  if (kind === "insert") return Buffer.concat([head, Buffer.alloc(length, byte), bytes.subarray(from)]);
  if (kind === "double") return Buffer.concat([head, part, part, tail]);
  return Buffer.concat([tail, part, head]);
}

test("a duplicate benefit segment changes nothing, even though the segment count becomes wrong", () => {
  for (const { file } of samples) {
    const { segments } = segmentsOf(file);
    const joined = (list: readonly Segment[]) => Buffer.from(list.map((one) => `${one.join("\u001d")}\u001e`).join(""));
    const whole = read(joined(segments)).eligibility.benefits;
    for (const [at, segment] of segments.entries()) {
      if (segment[0] !== "EB") continue;
      const doubled = [...segments.slice(0, at), segment, ...segments.slice(at)];
      assert.deepEqual(read(joined(doubled)).eligibility.benefits, whole, `${file} line ${at}`);
    }
  }
});

test("the trace number or the birth date selects the dependent that was asked about", () => {
  const bytes = bytesOf("edge-two-dependents.271");
  const name = (asked: Parameters<typeof read271>[1]) => read271(bytes, asked).eligibility.member?.fullName?.firstName;
  assert.equal(name({ trace: "TRACE-EDGE-5" }), "CAL");
  assert.equal(name({ birthDate: "2012-06-06" }), "CAL");
  assert.equal(name({ birthDate: "1980-02-29" }), "ADA");
  assert.equal(name({ trace: "TRACE-EDGE-4" }), "BEN");
  assert.equal(name({ trace: "TRACE-EDGE-4", birthDate: "2012-06-06" }), "CAL");
  assert.equal(name({ trace: "unknown", birthDate: "1900-01-01" }), "BEN");
});

test("a code named like a JavaScript property, such as constructor, is an unknown code", () => {
  const whole = bytesOf("edge-two-dependents.271").toString();
  for (const word of ["constructor", "toString", "__proto__"]) {
    assert.equal(rejectionText(word), "The payer rejected the request");
    const added = whole.replace(/(?=EB\*)/, `EB*${word}*${word}*30****100~`);
    assert.deepEqual(read(Buffer.from(added)), read(Buffer.from(whole)));
  }
});

test("interchanges in one body may use different delimiters", () => {
  const first = bytesOf("edge-two-dependents.271").toString();
  const second = rewrite("edge-v4010.271", { element: "|", terminator: "\n", newLine: "", mark: "" }).toString();
  assert.deepEqual(read(Buffer.from(first + second)), read(Buffer.from(first)));
  const ack = bytesOf("not-271/ack999.txt").toString();
  assert.deepEqual(read(Buffer.from(ack + first)), read(Buffer.from(first)));
});

test("a 3 MB response with 60,000 benefit segments is parsed, and a 5 MB body is rejected as too large", () => {
  const { segments } = segmentsOf("edge-remaining-orphans.271");
  const benefits = segments.filter(([id]) => id === "EB");
  const many = Array.from({ length: 60_000 }, (_, index) => benefits[index % benefits.length] ?? []);
  const at = segments.findIndex(([id]) => id === "EB");
  const whole = [...segments.slice(0, at), ...many, ...segments.slice(at)];
  const bytes = Buffer.from(whole.map((one) => `${one.join("*")}~`).join(""));
  assert.deepEqual(read(bytes).eligibility.benefits, read(bytesOf("edge-remaining-orphans.271")).eligibility.benefits);
  assert.throws(
    () => read271(Buffer.alloc(5 * 1024 * 1024, 65)),
    (error) => error instanceof X12Error && error.kind === "tooLarge",
  );
});

test("a 4 MB response does not stop the process, whatever repeats in it", () => {
  const begin = `${bytesOf("edge-remaining-orphans.271").toString().split("HL*")[0]}`;
  const repeated = (line: (at: number) => string, first = "", last = "") => {
    const lines: string[] = [];
    for (let at = 1, length = 0; length < 4_000_000; at += 1) length += lines[lines.push(line(at)) - 1]?.length ?? 0;
    return Buffer.from(`${begin}${first}${lines.join("")}${last}SE*1*0001~`);
  };
  const person = "HL*1**22~NM1*IL*1*DOE*JANE~";
  const codes = (at: number) => Array.from({ length: 250 }, (_, index) => (at * 250 + index).toString(36)).join("^");
  for (const response of [
    repeated(() => "HL*1**20~"),
    repeated((at) => `HL*${at}*${at - 1}*23~`, "", "HL*X**22~"),
    repeated((at) => `EB*1**${codes(at)}~NM1*VN*2*X~PER*IC**TE*1~`, person),
    repeated((at) => (at < 200_000 ? "N3*1~" : "AAA*N**75*C~"), "HL*1**22~"),
  ])
    assert.equal(typeof read271(response, { birthDate: "1980-01-01" }).eligibility.coverageStatus, "string");
});
