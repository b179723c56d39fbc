import type { ParsedEdi271 } from "@countersign/contract/health";
import { isoDay } from "./dates.ts";
import { all, first, type Level } from "./loops.ts";
import { element, type Segment } from "./segment.ts";

type Member = NonNullable<ParsedEdi271["member"]>;
const sexes = new Map<string, "Male" | "Female">([
  ["M", "Male"],
  ["F", "Female"],
]);

/**
 * The person in the response, in the payer's spelling. A dependent's missing member id or address is the subscriber's.
 */
export function memberOf(level: Level, subscriber: Level | null): Member | undefined {
  const nm1 = first(level.head, "NM1");
  const memberId = [
    element(nm1, 9),
    element(first(subscriber?.head ?? [], "NM1"), 9),
    ...[level, subscriber]
      .flatMap((one) => all(one?.head ?? [], "REF"))
      .flatMap((ref) => (element(ref, 1) === "1W" ? [element(ref, 2)] : [])),
  ].find((text) => text !== "");
  const firstName = element(nm1, 4);
  const lastName = element(nm1, 3);
  const dmg = first(level.head, "DMG");
  const birthDate = isoDay(element(dmg, 2));
  const sex = sexes.get(element(dmg, 3));
  const address = addressOf(level.head) ?? addressOf(subscriber?.head ?? []);
  const fullName = { ...(firstName === "" ? {} : { firstName }), ...(lastName === "" ? {} : { lastName }) };
  const member: Member = {
    ...(memberId === undefined ? {} : { memberId }),
    ...(Object.keys(fullName).length === 0 ? {} : { fullName }),
    ...(birthDate === undefined ? {} : { birthDate }),
    ...(sex === undefined ? {} : { sex }),
    ...(address === undefined ? {} : { address }),
  };
  return Object.keys(member).length === 0 ? undefined : member;
}

function addressOf(head: readonly Segment[]): Member["address"] {
  const n3 = first(head, "N3");
  const n4 = first(head, "N4");
  const parts: [string, string][] = [
    ["line1", element(n3, 1)],
    ["line2", element(n3, 2)],
    ["city", element(n4, 1)],
    ["state", element(n4, 2)],
    ["zipCode", zipOf(element(n4, 3))],
  ];
  const given = parts.filter(([, value]) => value !== "");
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Shortens ZIP+4 to five digits. */
function zipOf(text: string): string {
  const found = /^(\d{5})-?\d{4}$/.exec(text);
  return found?.[1] ?? text;
}
