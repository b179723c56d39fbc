import { element, type Segment } from "./segments.ts";

/** 20 payer, 21 provider, 22 subscriber, 23 dependent. */
export type LevelKind = "20" | "21" | "22" | "23";
export type Rejection = { loop: string; code: string; action: string; valid: string };
/** Somebody named inside a benefit: a carve-out's administrator, another payer. */
export type Entity = { nm1: Segment; contacts: Segment[] };
export type Benefit = { eb: Segment; segments: Segment[]; entities: Entity[] };
/** One hierarchical level: what stands before its first EB, and its benefits. */
export type Level = { kind: LevelKind; parent: Level | null; head: Segment[]; benefits: Benefit[] };
export type Tree = { levels: Level[]; rejections: Rejection[]; responseDate: string };

const letters: Record<LevelKind, string> = { "20": "A", "21": "B", "22": "C", "23": "D" };
const kindOfName: Record<string, LevelKind> = {
  PR: "20",
  "1P": "21",
  FA: "21",
  "80": "21",
  IL: "22",
  "03": "23",
  QC: "23",
};
/** Segments of a 2120 loop after its NM1; any other one belongs to the benefit again, LE or not. */
const ofEntity = new Set(["N2", "N3", "N4", "PER", "PRV"]);

/** The levels of one transaction in order of appearance. */
export function readLoops(segments: readonly Segment[]): Tree {
  const reader = new LoopReader(!segments.some((segment) => element(segment, 0) === "HL"));
  for (const segment of segments) reader.take(segment);
  return { levels: reader.levels, rejections: reader.rejections, responseDate: reader.responseDate };
}

class LoopReader {
  readonly levels: Level[] = [];
  readonly rejections: Rejection[] = [];
  responseDate = "";
  private readonly byId = new Map<string, Level>();
  private readonly inferred: boolean;
  private entity: Entity | null = null;

  /** `inferred`: there is no HL at all, and names tell the levels. */
  constructor(inferred: boolean) {
    this.inferred = inferred;
  }

  take(segment: Segment): void {
    const id = element(segment, 0);
    if (id === "BHT") this.responseDate = element(segment, 4);
    else if (id === "HL") this.open(kindOf(element(segment, 3)), segment);
    else if (id === "NM1" && this.inferred && this.benefit === null) this.infer(segment);
    else this.add(id, segment);
  }

  private get level(): Level | undefined {
    return this.levels.at(-1);
  }

  private get benefit(): Benefit | null {
    return this.level?.benefits.at(-1) ?? null;
  }

  private open(kind: LevelKind | undefined, hl: Segment | null): void {
    this.entity = null;
    if (kind === undefined) return;
    const named = hl === null ? undefined : this.byId.get(element(hl, 2));
    const above = named ?? this.levels.findLast((one) => one.kind < kind);
    const level: Level = { kind, parent: above ?? null, head: [], benefits: [] };
    this.levels.push(level);
    if (hl !== null) this.byId.set(element(hl, 1), level);
  }

  private infer(nm1: Segment): void {
    const kind = kindOfName[element(nm1, 1)];
    if (kind !== undefined && kind !== this.level?.kind) this.open(kind, null);
    this.add("NM1", nm1);
  }

  private add(id: string, segment: Segment): void {
    const { level, benefit } = this;
    if (level === undefined) return;
    if (id === "AAA") this.reject(level, segment);
    if (id === "EB") {
      this.entity = null;
      level.benefits.push({ eb: segment, segments: [], entities: [] });
    } else if (benefit === null) level.head.push(segment);
    else if (id === "NM1") {
      this.entity = { nm1: segment, contacts: [] };
      benefit.entities.push(this.entity);
    } else if (this.entity !== null && ofEntity.has(id)) {
      if (id === "PER") this.entity.contacts.push(segment);
    } else {
      this.entity = null;
      benefit.segments.push(segment);
    }
  }

  private reject(level: Level, aaa: Segment): void {
    const named = level.head.some((segment) => element(segment, 0) === "NM1");
    const depth = this.benefit !== null ? "2110" : named ? "2100" : "2000";
    this.rejections.push({
      loop: `${depth}${letters[level.kind]}`,
      code: element(aaa, 3),
      action: element(aaa, 4),
      valid: element(aaa, 1),
    });
  }
}

function kindOf(code: string): LevelKind | undefined {
  return code === "20" || code === "21" || code === "22" || code === "23" ? code : undefined;
}

/** Segments of one id. */
export function all(segments: readonly Segment[], id: string): Segment[] {
  return segments.filter((segment) => element(segment, 0) === id);
}
export function first(segments: readonly Segment[], id: string): Segment | undefined {
  return segments.find((segment) => element(segment, 0) === id);
}
