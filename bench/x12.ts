import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { read271 } from "../packages/service/src/domain/health/x12/eligibility.ts";
import type { Bench } from "./bench.ts";

const peer = createRequire(new URL("./peers/package.json", import.meta.url));
const sample = new URL(
  "../packages/service/src/test/health/x12-samples/triz-bcbs-ma-patient-is-subscriber-and-has-medicare.271",
  import.meta.url,
);

/** Bytes that one contestant reads per round. */
const roundBytes = 10_000_000;
const megabyte = 1_000_000;

/** Parses 271s completely, compared with libraries that only split them into segments. */
export async function benchX12(bench: Bench): Promise<void> {
  await compare(bench, "6 KB, as payers send them", readFileSync(sample));
  await compare(bench, "1 MB", largeSample(megabyte));
  await compareSizes(bench);
  await compareMemory(bench);
}

/** A real 271 of this length: its benefits are repeated with different amounts and texts. */
function largeSample(bytes: number): Buffer {
  const lines = readFileSync(sample, "latin1").split("~");
  const first = lines.findIndex((line) => /^\s*EB\*/.test(line));
  const last = lines.findLastIndex((line) => /^\s*EB\*/.test(line)) + 1;
  const benefits: string[] = [];
  for (let time = 0, length = 0; length < bytes; time += 1) {
    const copy = lines.slice(first, last).map((line) => another(line, time));
    benefits.push(...copy);
    length += copy.join("~").length;
  }
  const all = [...lines.slice(0, first), ...benefits, ...lines.slice(last)];
  // Set the segment count in SE, because one of the compared libraries checks it.
  const at = (id: string) => all.findIndex((line) => line.trimStart().startsWith(`${id}*`));
  const end = at("SE");
  const counted = all.map((line, place) => (place === end ? line.replace(/\*\d+\*/, `*${end - at("ST") + 1}*`) : line));
  return Buffer.from(counted.join("~"), "latin1");
}

function another(line: string, time: number): string {
  const elements = line.split("*");
  const [id = ""] = elements;
  if (id.trim() === "MSG") elements[1] += ` ${time}`;
  if (id.trim() === "EB" && (elements[7] ?? "") !== "") elements[7] = `${elements[7]}.${time}`;
  return elements.join("*");
}

/** All contestants start with the same bytes. Ours returns a parsed result, and the others a list of segments. */
async function compare(bench: Bench, name: string, bytes: Buffer): Promise<void> {
  const { X12parser } = peer("x12-parser");
  const { X12Parser } = peer("node-x12");
  const times = Math.ceil(roundBytes / bytes.length);
  const repeat = (run: () => unknown) => async () => {
    for (let time = 0; time < times; time += 1) await run();
  };
  const tokens = async () => {
    for await (const _segment of Readable.from([bytes]).pipe(new X12parser())) {
      // Measure only the reading of segments.
    }
  };
  const figures = await bench.alternate({
    ours: repeat(() => read271(bytes)),
    tokens: repeat(tokens),
    segments: repeat(() => new X12Parser(false).parse(bytes.toString("latin1"))),
  });
  const rate = (who: string) => (bytes.length * times) / 1_000 / (figures[who] ?? Number.NaN);
  bench.row({ what: `271 → ParsedEdi271, MB/s (${name})`, figure: rate("ours"), goal: 25 });
  bench.row({
    what: `ratio to x12-parser's tokenising (${name})`,
    figure: rate("ours") / rate("tokens"),
    goal: 2,
    aim: 3,
  });
  bench.row({
    what: `ratio to node-x12's parse (${name})`,
    figure: rate("ours") / rate("segments"),
    goal: 1.1,
    aim: 2,
  });
}

/** Parses the same number of bytes as one body and as four bodies. */
async function compareSizes(bench: Bench): Promise<void> {
  const [one, four] = [largeSample(megabyte), largeSample(4 * megabyte)];
  const figures = await bench.alternate({
    small: async () => {
      for (let time = 0; time < 4; time += 1) read271(one);
    },
    large: async () => read271(four),
  });
  const ratio = (figures.large ?? Number.NaN) / (figures.small ?? Number.NaN);
  bench.row({ what: "time for 4 MB, divided by four times the time for 1 MB", figure: ratio, limit: 1.25 });
}

/**
 * The smallest heap that can read a body of 4 MB, minus the smallest heap for 6 KB, plus the memory used outside the
 * heap.
 */
async function compareMemory(bench: Bench): Promise<void> {
  const script = new URL("./x12-memory.ts", import.meta.url).pathname;
  const directory = await mkdtemp(join(tmpdir(), "countersign-bench-"));
  const large = join(directory, "large.271");
  await writeFile(large, largeSample(4 * megabyte));
  const read = (file: string, heapMegabytes: number) =>
    spawnSync(process.execPath, ["--max-semi-space-size=1", `--max-old-space-size=${heapMegabytes}`, script, file], {
      encoding: "utf8",
    });
  const smallest = (file: string) => {
    let [tooSmall, enough] = [1, heapMegabytesMax];
    while (enough - tooSmall > 1) {
      const middle = (tooSmall + enough) >> 1;
      if (read(file, middle).status === 0) enough = middle;
      else tooSmall = middle;
    }
    return enough * 2 ** 20;
  };
  const outside = Number(read(large, heapMegabytesMax).stdout);
  const taken = smallest(large) - smallest(sample.pathname) + outside;
  await rm(directory, { recursive: true });
  bench.row({ what: "memory taken to read 4 MB, times its size", figure: taken / (4 * megabyte), limit: 6 });
}

const heapMegabytesMax = 128;
