import type { EdiContact } from "@countersign/contract/health";
import { all, type Benefit, type Entity, first, type Level } from "./loops.ts";
import { element, type Segment } from "./segment.ts";

/** Entity codes of care providers and people, who are not contacts for the plan. */
const careAndPeople = new Set(["P3", "1P", "1I", "73", "FA", "IL", "03", "QC", "LR"]);

type Reach = Pick<EdiContact, "phone" | "fax" | "email" | "url">;

/** Contacts for questions: the payer, and entities inside benefits. */
export function contactsOf(source: Level | null, benefits: readonly Benefit[]): EdiContact[] {
  const payer = segmentName(first(source?.head ?? [], "NM1"));
  const ofPayer = all(source?.head ?? [], "PER").flatMap((per): EdiContact[] => {
    const reach = reachOf([per]);
    const name = element(per, 2) === "" ? payer : element(per, 2);
    return isEmpty(reach) ? [] : [{ ...(name === undefined ? {} : { name }), ...reach }];
  });
  const contacts = [...ofPayer];
  for (const { code, serviceTypes, entities } of benefits)
    for (const entity of entities)
      contacts.push(...contactOf(entity, { asksThem: code === "U", codes: serviceTypes.codes }));
  return joined(contacts);
}

function contactOf(entity: Entity, options: { asksThem: boolean; codes: string[] }): EdiContact[] {
  if (careAndPeople.has(element(entity.nm1, 1))) return [];
  const reach = reachOf(entity.contacts);
  const name = segmentName(entity.nm1);
  if (isEmpty(reach) && (!options.asksThem || name === undefined)) return [];
  return [
    {
      ...(name === undefined ? {} : { name }),
      ...reach,
      ...(options.codes.length === 0 ? {} : { serviceTypeCodes: options.codes }),
    },
  ];
}

const isEmpty = (reach: Reach) => Object.keys(reach).length === 0;

/** The first phone, fax, email and URL of PER segments. */
function reachOf(segments: readonly Segment[]): Reach {
  const reach: Reach = {};
  for (const per of segments) {
    for (const position of [3, 5, 7]) {
      const value = element(per, position + 1);
      if (value === "") continue;
      const kind = element(per, position);
      if (kind === "TE" || kind === "WP") reach.phone ??= value;
      else if (kind === "EX" && reach.phone !== undefined) reach.phone = `${reach.phone} x${value}`;
      else if (kind === "FX") reach.fax ??= value;
      else if (kind === "EM") reach.email ??= value;
      else if (kind === "UR") reach.url ??= value;
    }
  }
  return reach;
}

/** The name of an organization or a person. */
export function segmentName(nm1: Segment | undefined): string | undefined {
  const given = element(nm1, 4);
  const name = given === "" ? element(nm1, 3) : `${given} ${element(nm1, 3)}`.trimEnd();
  return name === "" ? undefined : name;
}

/** Merges the same contact under several benefits into one with all their codes. */
function joined(contacts: readonly EdiContact[]): EdiContact[] {
  const byReach = new Map<string, { contact: EdiContact; codes: Set<string> }>();
  for (const contact of contacts) {
    const key = [contact.name, contact.phone, contact.fax, contact.email, contact.url].join("|");
    const known = byReach.get(key) ?? { contact, codes: new Set<string>() };
    for (const code of contact.serviceTypeCodes ?? []) known.codes.add(code);
    byReach.set(key, known);
  }
  return [...byReach.values()].map(({ contact, codes }) =>
    codes.size === 0 ? contact : { ...contact, serviceTypeCodes: [...codes] },
  );
}
