import * as words from "./code-words.ts";
import { rejectionText } from "./codes.ts";
import { isoDay } from "./dates.ts";
import type { Segment } from "./segment.ts";
import { decodeX12, readSegments } from "./segments.ts";

/** Maximum elements of a segment that are shown. */
const elementsMax = 25;
const indent = "  ";
/** Segments of a 2120 loop. */
const ofEntity = new Set(["NM1", "N3", "N4", "PER", "PRV"]);
const outside = new Set(["ISA", "IEA", "GS", "GE", "ST", "SE", "TA1"]);

/**
 * The lines of a response as a person reads it: one for each segment, with its name and its codes in words. Loops are indented.
 * @throws X12Error if the bytes are not X12
 */
export function explain(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  let depth = 0;
  let loop: "none" | "level" | "benefit" | "entity" = "none";
  for (const segment of readSegments(decodeX12(bytes))) {
    const { id } = segment;
    if (outside.has(id)) [depth, loop] = [id === "ST" || id === "SE" ? 1 : 0, "none"];
    else if (id === "HL") [depth, loop] = [levelDepth(segment), "level"];
    else if (id === "EB") [depth, loop] = [depthOf(depth, loop, "benefit"), "benefit"];
    else if (id === "NM1" && (loop === "benefit" || loop === "entity"))
      [depth, loop] = [depthOf(depth, loop, "entity"), "entity"];
    else if (loop === "entity" && !ofEntity.has(id)) [depth, loop] = [depth - 1, "benefit"];
    const isHead = id === "HL" || id === "EB" || (id === "NM1" && loop === "entity") || outside.has(id) || id === "BHT";
    const at = id === "BHT" ? 2 : depth + (isHead ? 0 : 1);
    lines.push(`${indent.repeat(at)}${lineOf(segment)}`);
  }
  return lines;
}

/** Payer, provider, subscriber, dependent: each is inside the one before. */
const levelDepth = (hl: Segment) => 2 + ["20", "21", "22", "23"].indexOf(hl.element(3));

function depthOf(depth: number, from: string, to: "benefit" | "entity"): number {
  const ranks: Record<string, number> = { none: 0, level: 0, benefit: 1, entity: 2 };
  return depth + (ranks[to] ?? 0) - (ranks[from] ?? 0);
}

function lineOf(segment: Segment): string {
  const name = words.segmentNames[segment.id];
  const said = (explainers[segment.id] ?? plainly)(segment).filter((part) => part !== "");
  return `${segment.id} ${name ?? ""}${said.length === 0 ? "" : `: ${said.join(", ")}`}`.trimEnd();
}

/** The elements that are present, with their positions. */
function plainly(segment: Segment): string[] {
  const parts: string[] = [];
  for (let position = 1; position <= elementsMax; position += 1) {
    const value = segment.element(position);
    if (value !== "") parts.push(`${segment.id}${String(position).padStart(2, "0")} ${value}`);
  }
  return parts;
}

const coded = (table: Readonly<Record<string, string>>, code: string) =>
  code === "" ? "" : Object.hasOwn(table, code) ? `${table[code]} (${code})` : code;
const labelled = (label: string, value: string) => (value === "" ? "" : `${label} ${value}`);

/** A date or a range of dates. */
function dated(text: string): string {
  return text
    .split("-")
    .map((one) => isoDay(one.trim()) ?? one)
    .join(" to ");
}

const explainers: Record<string, (segment: Segment) => string[]> = {
  ISA: (isa) => [labelled("from", isa.element(6)), labelled("to", isa.element(8)), labelled("number", isa.element(13))],
  GS: (gs) => [labelled("version", gs.element(8))],
  ST: (st) => [st.element(1)],
  SE: (se) => [labelled("segments", se.element(1))],
  GE: () => [],
  IEA: () => [],
  BHT: (bht) => [labelled("reference", bht.element(3)), labelled("date", dated(bht.element(4)))],
  HL: (hl) => [coded(words.levels, hl.element(3))],
  TRN: (trn) => [
    trn.element(1) === "2" ? "returned from the request" : "of the sender",
    trn.element(2),
    labelled("by", trn.element(3)),
  ],
  NM1: (nm1) => [
    coded(words.entityWords, nm1.element(1)),
    [nm1.element(4), nm1.element(5), nm1.element(3), nm1.element(7)].filter((part) => part !== "").join(" "),
    labelled("ID", nm1.element(9)),
  ],
  N3: (n3) => [n3.element(1), n3.element(2)],
  N4: (n4) => [n4.element(1), n4.element(2), n4.element(3), n4.element(4)],
  PER: (per) => [
    per.element(2),
    ...[3, 5, 7].map((at) => labelled(coded(words.contactWords, per.element(at)), per.element(at + 1))),
  ],
  REF: (ref) => [coded(words.referenceWords, ref.element(1)), ref.element(2), ref.element(3)],
  DMG: (dmg) => [
    labelled("born", dated(dmg.element(2))),
    coded({ M: "male", F: "female", U: "unknown" }, dmg.element(3)),
  ],
  INS: (ins) => [coded(words.relationshipWords, ins.element(2))],
  DTP: (dtp) => [coded(words.dateWords, dtp.element(1)), dated(dtp.element(3))],
  AAA: (aaa) => [
    aaa.element(1) === "N" ? "the request is not valid" : "the request is valid",
    aaa.element(3) === "" ? "" : rejectionText(aaa.element(3)),
    coded(words.followUpWords, aaa.element(4)),
  ],
  EB: benefit,
  HSD: (hsd) => plainly(hsd).map((part, at) => (at === 0 ? coded(words.quantityWords, hsd.element(1)) || part : part)),
  III: (iii) => [iii.element(1) === "ZZ" ? "place of service" : iii.element(1), iii.element(2)],
  MSG: (msg) => [msg.element(1)],
  LS: () => [],
  LE: () => [],
  TA1: (ta1) => [labelled("reason", ta1.element(5))],
};

function benefit(eb: Segment): string[] {
  const services = eb.element(3).split(/[^A-Za-z0-9]+/);
  const quantity = eb.element(10) === "" ? "" : `${eb.element(10)} ${coded(words.quantityWords, eb.element(9))}`;
  return [
    coded(words.informationWords, eb.element(1)),
    coded(words.coverageLevels, eb.element(2)),
    labelled(
      "for",
      services
        .map((code) => coded(words.serviceTypeWords, code))
        .filter(Boolean)
        .join(" and "),
    ),
    coded(words.insuranceTypeWords, eb.element(4)),
    labelled("plan", eb.element(5)),
    labelled("amount", eb.element(7)),
    labelled("share", eb.element(8)),
    quantity.trim(),
    coded(words.periodWords, eb.element(6)),
    labelled("authorization required", coded(words.yesNo, eb.element(11))),
    labelled("in network", coded(words.yesNo, eb.element(12))),
    labelled("procedure", eb.element(13)),
    labelled("diagnosis", eb.element(14)),
  ];
}
