import type { Payer } from "@countersign/contract/health";
import type { DirectoryPayer, PayerDirectory } from "../ports.ts";
import { indexPayers, lookUp, type PayerIndex, ranks } from "./payer-index.ts";

/** Groups that stand for all their payers; the literal is what a request names. */
export const medicareGroup = "GROUP_MEDICARE";
const groups = [
  { vendorId: medicareGroup, name: "Medicare (all payers)", aliases: ["All Medicare payers"] },
  { vendorId: "GROUP_BLUES", name: "Blue Cross Blue Shield (all payers)", aliases: ["All Blues"] },
];

type Hit = { payer: DirectoryPayer; isGroup: boolean; rank: number };

const indexes = new WeakMap<PayerDirectory, PayerIndex>();

/** The payers that a text means, best first; all of them, by name, when it says nothing. */
export function searchPayers(directory: PayerDirectory, text: string): Hit[] {
  const index = indexOf(directory);
  const found =
    text.trim() === "" ? index.payers.map((_, payer) => ({ payer, rank: ranks.name })) : lookUp(index, text);
  return found.flatMap(({ payer, rank }) => {
    const one = index.payers[payer];
    return one === undefined ? [] : [{ payer: one.entry, isGroup: one.isGroup, rank }];
  });
}

/** The payers an id names: one, the members of a group, or none. Ids are compared as they stand, but for case. */
export function payersById(directory: PayerDirectory, id: string): DirectoryPayer[] {
  const wanted = id.trim().toLowerCase();
  const group = groups.find(({ vendorId }) => vendorId.toLowerCase() === wanted);
  if (group !== undefined) return directory.payers.filter((payer) => payer.groups.includes(group.vendorId));
  const own = indexOf(directory).payers.filter(({ isGroup, ids }) => !isGroup && ids.includes(wanted));
  // An id that two payers list is the one's whose primary id it is.
  const primary = own.filter(({ entry }) => entry.ids[0]?.toLowerCase() === wanted);
  return (primary.length > 0 ? primary : own).map(({ entry }) => entry);
}

/** What a name means: the payers that it fits best, which are several where it does not decide. */
export function payersByName(directory: PayerDirectory, name: string): DirectoryPayer[] {
  if (name.trim() === "") return [];
  const hits = searchPayers(directory, name);
  const [best] = hits;
  if (best === undefined) return [];
  if (best.isGroup && best.rank <= ranks.alias) return payersById(directory, best.payer.vendorId);
  return hits.filter(({ rank, isGroup }) => rank === best.rank && !isGroup).map(({ payer }) => payer);
}

export function wirePayer({ name, vendorId, ids, operatingStates, eligibilitySupport }: DirectoryPayer): Payer {
  return { name, vendorId, ids, ...(operatingStates.length === 0 ? {} : { operatingStates }), eligibilitySupport };
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
