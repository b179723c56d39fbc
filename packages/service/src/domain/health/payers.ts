import type { Payer } from "@countersign/contract/health";
import type { HomeDeps } from "../deps.ts";
import type { DirectoryPayer, PayerDirectory } from "../ports.ts";
import { indexPayers, lookUp, type PayerIndex, ranks, withId } from "./payer-index.ts";

/** Groups that stand for all their payers. Requests use the literal id. */
export const medicareGroup = "GROUP_MEDICARE";
const groups = [
  { vendorId: medicareGroup, name: "Medicare (all payers)", aliases: ["All Medicare payers"] },
  { vendorId: "GROUP_BLUES", name: "Blue Cross Blue Shield (all payers)", aliases: ["All Blues"] },
];

type Hit = { payer: DirectoryPayer; isGroup: boolean; rank: number };

const indexes = new WeakMap<PayerDirectory, PayerIndex>();

/** The payers that match a text, best first. For an empty text, all payers by name. */
export function searchPayers(directory: PayerDirectory, text: string): Hit[] {
  const index = indexOf(directory);
  const found =
    text.trim() === "" ? index.payers.map((_, payer) => ({ payer, rank: ranks.name })) : lookUp(index, text);
  return found.flatMap(({ payer, rank }) => {
    const one = index.payers[payer];
    return one === undefined ? [] : [{ payer: one.entry, isGroup: one.isGroup, rank }];
  });
}

/** The largest payer, or the group, with an id. Only case is ignored. */
export function findPayer(directory: PayerDirectory, id: string): Pick<Hit, "payer" | "isGroup"> | undefined {
  const [found] = withId(indexOf(directory), id.trim().toLowerCase());
  return found === undefined ? undefined : { payer: found.entry, isGroup: found.isGroup };
}

/** The payers with an id: one, the members of a group, or none. Only case is ignored. */
export function payersById(directory: PayerDirectory, id: string): DirectoryPayer[] {
  const wanted = id.trim().toLowerCase();
  const group = groups.find(({ vendorId }) => vendorId.toLowerCase() === wanted);
  if (group !== undefined) return directory.payers.filter((payer) => payer.groups.includes(group.vendorId));
  const own = indexOf(directory).payers.filter(({ isGroup, ids }) => !isGroup && ids.includes(wanted));
  // If two payers have the same id, the payer with it as its primary id wins.
  const primary = own.filter(({ entry }) => entry.ids[0]?.toLowerCase() === wanted);
  return (primary.length > 0 ? primary : own).map(({ entry }) => entry);
}

/** The payers that match a name best. Several payers mean that the name is ambiguous. */
export function payersByName(directory: PayerDirectory, name: string): DirectoryPayer[] {
  if (name.trim() === "") return [];
  const hits = searchPayers(directory, name);
  const [best] = hits;
  if (best === undefined) return [];
  if (best.isGroup && best.rank <= ranks.alias) return payersById(directory, best.payer.vendorId);
  return hits.filter(({ rank, isGroup }) => rank === best.rank && !isGroup).map(({ payer }) => payer);
}

/** A warning if the id and the name of a request are those of different payers. The id decides. */
export function payerWarnings(directory: PayerDirectory, asked: { id?: string; name?: string } = {}): string[] {
  const { id, name } = asked;
  if (id === undefined || name === undefined || name.trim() === "") return [];
  const byId = payersById(directory, id);
  const byName = searchPayers(directory, name).map(({ payer }) => payer);
  if (byId.length === 0 || byName.length === 0 || byName.some((one) => byId.includes(one))) return [];
  return ["payer.name is not a name of the payer with payer.id, and the ID decides"];
}

/** Whether a payer is a federal program, by the directory. */
export function isFederalPayer({ kind, groups: names }: DirectoryPayer): boolean {
  return kind === "military" || names.includes(medicareGroup);
}

/** The path of a drawn picture on the API. */
export const payerPicturePath = (file: string) => `/payers/${file}`;

/** The directory's picture of a payer, or the one that the service draws. */
function logoOf({ addresses }: Addressed, { logoUrl, vendorId }: DirectoryPayer): string {
  return logoUrl ?? `${addresses.apiUrl}${payerPicturePath(`${vendorId}.svg`)}`;
}

/** What knows the service's own URLs. */
export type Addressed = Pick<HomeDeps, "addresses">;

export function wirePayer(deps: Addressed, payer: DirectoryPayer): Payer {
  const { name, vendorId, ids, operatingStates, eligibilitySupport } = payer;
  const states = operatingStates.length === 0 ? {} : { operatingStates };
  return { name, vendorId, ids, logoUrl: logoOf(deps, payer), ...states, eligibilitySupport };
}

function indexOf(directory: PayerDirectory): PayerIndex {
  const known = indexes.get(directory);
  if (known !== undefined) return known;
  const index = indexPayers([
    ...directory.payers.map((entry) => ({ entry, isGroup: false })),
    ...groups.map((group) => ({ entry: groupEntry(group), isGroup: true })),
  ]);
  indexes.set(directory, index);
  return index;
}

function groupEntry(group: (typeof groups)[number]): DirectoryPayer {
  return {
    ...group,
    ids: [group.vendorId],
    operatingStates: ["NATIONAL"],
    coverageTypes: ["medical"],
    eligibilitySupport: "SUPPORTED",
    kind: "group",
    groups: [],
  };
}
