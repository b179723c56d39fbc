import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Readable } from "node:stream";
import { parse271 } from "../packages/service/src/domain/health/x12/eligibility.ts";
import type { Bench } from "./bench.ts";

const peer = createRequire(new URL("./peers/package.json", import.meta.url));
const sample = new URL(
  "../packages/service/src/test/x12-samples/triz-bcbs-ma-patient-is-subscriber-and-has-medicare.271",
  import.meta.url,
);

/** A real 271 whose benefits are repeated until it is about this long, bytes. */
const sizeWanted = 1_000_000;

function largeSample(): string {
  const lines = readFileSync(sample, "latin1").split("~");
  const first = lines.findIndex((line) => /^\s*EB\*/.test(line));
  const last = lines.findLastIndex((line) => /^\s*EB\*/.test(line)) + 1;
  const benefits = lines.slice(first, last).join("~");
  const times = Math.ceil(sizeWanted / benefits.length);
  const all = [...lines.slice(0, first), ...Array.from({ length: times }, () => benefits), ...lines.slice(last)]
    .join("~")
    .split("~");
  // One of the peers counts the segments of the transaction, as a receiver should.
  const at = (id: string) => all.findIndex((line) => line.trimStart().startsWith(`${id}*`));
  const end = at("SE");
  return all
    .map((line, place) => (place === end ? line.replace(/\*\d+\*/, `*${end - at("ST") + 1}*`) : line))
    .join("~");
}

/** Bytes of 271s to what a brand sees of them, beside what others only cut into tokens. */
export async function benchX12(bench: Bench): Promise<void> {
  const real = readFileSync(sample, "latin1");
  await compare(bench, { name: "6 KB, as payers send them", text: real, times: Math.ceil(sizeWanted / real.length) });
  await compare(bench, { name: "1 MB", text: largeSample(), times: 1 });
}

async function compare(
  bench: Bench,
  { name, text, times }: { name: string; text: string; times: number },
): Promise<void> {
  const bytes = Buffer.from(text, "latin1");
  const { X12parser } = peer("x12-parser");
  const { X12Parser } = peer("node-x12");
  const repeat = (run: () => Promise<unknown>) => async () => {
    for (let time = 0; time < times; time += 1) await run();
  };
  const tokens = async () => {
    for await (const _segment of Readable.from([bytes]).pipe(new X12parser())) {
      // Taking them is what costs.
    }
  };
  const figures = await bench.alternate({
    ours: repeat(async () => parse271(bytes)),
    tokens: repeat(tokens),
    segments: repeat(async () => new X12Parser(false).parse(text)),
  });
  const rate = (who: string) => (bytes.length * times) / 1_000 / (figures[who] ?? Number.NaN);
  bench.row({ what: `271 → ParsedEdi271, MB/s (${name})`, figure: rate("ours"), goal: 25 });
  bench.row({ what: `ratio to x12-parser's tokenising (${name})`, figure: rate("ours") / rate("tokens"), goal: 2 });
  bench.row({ what: `ratio to node-x12's parse (${name})`, figure: rate("ours") / rate("segments"), goal: 1 });
}
