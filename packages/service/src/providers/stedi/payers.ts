import { createHash } from "node:crypto";
import { minuteMs } from "@countersign/contract/time";
import type { DirectoryPayer } from "../../domain/ports.ts";
import { asObject, type Json, listOf, readObject, textOf } from "../json.ts";
import { openVendor, VendorFailure, type VendorTools } from "../vendor.ts";
import { headersOf, type StediSettings } from "./clearinghouse.ts";

const listBytesMax = 32 * 1024 * 1024;
const listDeadlineMs = minuteMs;
const coverageTypes = ["medical", "dental", "vision"] as const;
const supports = ["SUPPORTED", "ENROLLMENT_REQUIRED", "NOT_SUPPORTED"] as const;
/** A list with less than this share of the known payers counts as incomplete. */
const keptShareMin = 0.5;

/**
 * The clearinghouse's payers in the shape of our directory. A payer in `known`, the current directory, keeps its
 * `vendorId`, picture, kind and groups. Throws if the list is incomplete, which leaves the directory unchanged.
 */
export async function syncPayers(
  settings: Pick<StediSettings, "apiUrl" | "apiKey">,
  tools: VendorTools,
  known: readonly DirectoryPayer[],
): Promise<DirectoryPayer[]> {
  const vendor = openVendor("stedi", tools);
  const answer = await vendor
    .call({
      operation: "payers",
      method: "GET",
      url: `${settings.apiUrl}/payers`,
      headers: headersOf(settings),
      deadlineMs: listDeadlineMs,
      repeats: "always",
      bytesMax: listBytesMax,
    })
    .finally(vendor.close);
  const items = answer.kind === "answered" && answer.status === 200 ? listOf(readObject(answer.text), "items") : [];
  const payers = directoryOf(items, known);
  const keptCount = known.filter(({ vendorId }) => payers.some((payer) => payer.vendorId === vendorId)).length;
  if (payers.length === 0 || keptCount < known.length * keptShareMin)
    throw new VendorFailure("stedi: the list of payers is incomplete");
  return payers;
}

/** Sorts by the vendor's ids, so that equal lists get equal new ids. */
export function directoryOf(items: readonly Json[], known: readonly DirectoryPayer[]): DirectoryPayer[] {
  const byId = new Map(known.flatMap((payer) => payer.ids.map((id) => [id, payer] as const)));
  const taken = new Set(known.map(({ vendorId }) => vendorId));
  const given = new Set<string>();
  const sorted = items
    .map((item) => ({ item: asObject(item.payer) ?? item }))
    .map(({ item }) => ({ item, stediId: textOf(item, "stediId"), primary: textOf(item, "primaryPayerId") }))
    .sort((a, b) => (a.stediId ?? "").localeCompare(b.stediId ?? ""));
  return sorted.flatMap(({ item, stediId, primary }) => {
    const name = textOf(item, "displayName");
    if (stediId === null || primary === null || name === null) return [];
    const withSameId = byId.get(primary);
    const before = withSameId === undefined || given.has(withSameId.vendorId) ? undefined : withSameId;
    const vendorId = before?.vendorId ?? freeId(stediId, taken);
    taken.add(vendorId);
    given.add(vendorId);
    return [payerOf(item, { name, primary, vendorId, before })];
  });
}

function payerOf(
  item: Json,
  options: { name: string; primary: string; vendorId: string; before: DirectoryPayer | undefined },
): DirectoryPayer {
  const { name, primary, vendorId, before } = options;
  const stated = textOf(asObject(item.transactionSupport), "eligibilityCheck");
  const types = textsOf(item.coverageTypes).map((type) => type.toLowerCase());
  const states = textsOf(item.operatingStates);
  return {
    name,
    vendorId,
    ids: [...new Set([primary, ...textsOf(item.aliases)])],
    ...(before?.logoUrl === undefined ? {} : { logoUrl: before.logoUrl }),
    aliases: textsOf(item.names).filter((alias) => alias !== name),
    operatingStates: states,
    coverageTypes: coverageTypes.filter((type) => types.includes(type)),
    eligibilitySupport: supports.find((one) => one === stated) ?? "NOT_SUPPORTED",
    kind: before?.kind ?? (states.includes("NATIONAL") ? "national" : "regional"),
    groups: before?.groups ?? groupsOf([name, ...textsOf(item.names)]),
  };
}

function groupsOf(names: readonly string[]): string[] {
  const text = names.join(" ");
  const isBlue = /blue ?cross|blue ?shield|\bbcbs\b|\banthem\b/i.test(text);
  const isMedicare = /\bmedicare (part|fee|railroad)|\bCMS\b/i.test(text);
  return [...(isBlue ? ["GROUP_BLUES"] : []), ...(isMedicare ? ["GROUP_MEDICARE"] : [])];
}

/** `V` and six digits derived from the vendor's id. If they are taken, the next free number. */
function freeId(stediId: string, taken: ReadonlySet<string>): string {
  const space = 1_000_000;
  const first = createHash("sha256").update(stediId).digest().readUIntBE(0, 6) % space;
  for (let step = 0; step < space; step += 1) {
    const id = `V${String((first + step) % space).padStart(6, "0")}`;
    if (!taken.has(id)) return id;
  }
  throw new VendorFailure("no payer id is available");
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string" && one !== "") : [];
}
