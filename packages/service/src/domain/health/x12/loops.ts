import { type ServiceTypes, serviceTypesReader } from "./codes.ts";
import { element, type Segment } from "./segment.ts";

/** 20 payer, 21 provider, 22 subscriber, 23 dependent. */
type LevelKind = "20" | "21" | "22" | "23";
export type Rejection = { loop: string; code: string; action: string; valid: string };
/** An entity inside a benefit, such as the administrator of a carve-out or another payer. */
export type Entity = { nm1: Segment; contacts: Segment[] };
export type Benefit = {
  eb: Segment;
  /** `code` is EB01, the kind of information; `serviceTypes` are EB03. */
  code: string;
  serviceTypes: ServiceTypes;
  segments: readonly Segment[];
  entities: Entity[];
};
/** Shared empty lists: most benefits have no segments and no entities. */
const noSegments: readonly Segment[] = [];
const noEntities: Entity[] = [];
/** One hierarchical level: the segments before its first EB, and its benefits. */
export type Level = { kind: LevelKind; parent: Level | null; head: Segment[]; benefits: Benefit[] };
export type Tree = { levels: Level[]; rejections: Rejection[]; responseDate: string };

const loopLetters: Record<LevelKind, string> = { "20": "A", "21": "B", "22": "C", "23": "D" };
const kinds = ["20", "21", "22", "23"] as const;
const kindOfName = new Map<string, LevelKind>([
  ["PR", "20"],
  ["1P", "21"],
  ["FA", "21"],
  ["80", "21"],
  ["IL", "22"],
  ["03", "23"],
  ["QC", "23"],
]);
/** The segments of a 2120 loop after its NM1. Any other segment belongs to the benefit again, with or without an LE. */
const ofEntity = new Set(["N2", "N3", "N4", "PER", "PRV"]);

/** Reads the levels of one transaction, in order of appearance. */
export function readLoops(segments: readonly Segment[]): Tree {
  const reader = new LoopReader(!segments.some(({ id }) => id === "HL"));
  for (const segment of segments) reader.take(segment);
  reader.close();
  return { levels: reader.levels, rejections: reader.rejections, responseDate: reader.responseDate };
}

class LoopReader {
  readonly levels: Level[] = [];
  readonly rejections: Rejection[] = [];
  responseDate = "";
  private readonly byId = new Map<string, Level>();
  private readonly inferred: boolean;
  private readonly serviceTypes = serviceTypesReader();
  private level: Level | null = null;
  /** The latest level that may be the parent of each kind. */
  private readonly above: Record<LevelKind, Level | null> = { "20": null, "21": null, "22": null, "23": null };
  private hasName = false;
  private benefit: Benefit | null = null;
  private entity: Entity | null = null;
  /** The segments under the current benefit. The array is reused, because growing arrays reserve extra memory. */
  private readonly below: Segment[] = [];
  private belowCount = 0;

  /** `inferred`: the transaction has no HL, so NM1 names determine the levels. */
  constructor(inferred: boolean) {
    this.inferred = inferred;
  }

  take(segment: Segment): void {
    const { id } = segment;
    if (id === "BHT") this.responseDate = element(segment, 4);
    else if (id === "HL") this.open(kindOf(element(segment, 3)), segment);
    else if (id === "NM1" && this.inferred && this.benefit === null) this.infer(segment);
    else this.add(segment);
  }

  /** Completes the current benefit. */
  close(): void {
    if (this.benefit !== null && this.belowCount > 0) this.benefit.segments = this.below.slice(0, this.belowCount);
    this.belowCount = 0;
    this.benefit = null;
  }

  private open(kind: LevelKind | undefined, hl: Segment | null): void {
    this.entity = null;
    if (kind === undefined) return;
    this.close();
    const named = hl === null ? undefined : this.byId.get(element(hl, 2));
    // Only a lower kind may be a parent, so that no level has a long chain of parents.
    const parent = named !== undefined && named.kind < kind ? named : this.above[kind];
    const level: Level = { kind, parent, head: [], benefits: [] };
    for (const one of kinds) if (kind < one) this.above[one] = level;
    this.levels.push(level);
    this.level = level;
    this.hasName = false;
    if (hl !== null) this.byId.set(element(hl, 1), level);
  }

  private infer(nm1: Segment): void {
    const kind = kindOfName.get(nm1.element(1));
    if (kind !== undefined && kind !== this.level?.kind) this.open(kind, null);
    this.add(nm1);
  }

  private add(segment: Segment): void {
    const { level, benefit } = this;
    const { id } = segment;
    if (level === null) return;
    if (id === "AAA") this.reject(level, segment);
    if (id === "EB") {
      this.entity = null;
      this.close();
      this.benefit = this.benefitOf(segment);
      level.benefits.push(this.benefit);
    } else if (benefit === null) {
      level.head.push(segment);
      this.hasName ||= id === "NM1";
    } else if (id === "NM1") {
      this.entity = { nm1: segment, contacts: [] };
      if (benefit.entities === noEntities) benefit.entities = [];
      benefit.entities.push(this.entity);
    } else if (this.entity !== null && ofEntity.has(id)) {
      if (id === "PER") this.entity.contacts.push(segment);
    } else {
      this.entity = null;
      this.below[this.belowCount] = segment;
      this.belowCount += 1;
    }
  }

  private benefitOf(eb: Segment): Benefit {
    const code = eb.element(1);
    return { eb, code, serviceTypes: this.serviceTypes(eb), segments: noSegments, entities: noEntities };
  }

  private reject(level: Level, aaa: Segment): void {
    const depth = this.benefit !== null ? "2110" : this.hasName ? "2100" : "2000";
    this.rejections.push({
      loop: `${depth}${loopLetters[level.kind]}`,
      code: element(aaa, 3),
      action: element(aaa, 4),
      valid: element(aaa, 1),
    });
  }
}

function kindOf(code: string): LevelKind | undefined {
  return code === "20" || code === "21" || code === "22" || code === "23" ? code : undefined;
}

/** The segments with an id. */
export function all(segments: readonly Segment[], id: string): Segment[] {
  return segments.filter((segment) => segment.id === id);
}
export function first(segments: readonly Segment[], id: string): Segment | undefined {
  return segments.find((segment) => segment.id === id);
}
