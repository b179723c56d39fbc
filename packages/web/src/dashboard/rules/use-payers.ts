import type { Environment } from "@countersign/contract/brand";
import type { PayerChoice } from "@countersign/contract/dashboard-rules";
import { useEffect, useState } from "preact/hooks";
import type { Option } from "../../ui/choose.tsx";
import { api } from "../api.ts";

type Which = { brand: string; environment: Environment };
/** Maximum number of ids in one request. */
const idsMax = 40;

/** The names of payers, by the ids that rules use. An id that the directory does not know maps to itself. */
export function usePayerNames(params: Which, ids: readonly string[]): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const unknown = [...new Set(ids)].filter((id) => id.trim() !== "" && !id.includes(",") && !names.has(id));
  const asked = unknown.slice(0, idsMax).join(",");
  useEffect(() => {
    if (asked === "") return;
    let isOver = false;
    void api.searchRulePayers({ params, query: { ids: asked } }).then((outcome) => {
      if (isOver || outcome.kind !== "ok") return;
      const found = new Map(outcome.value.data.map(({ asked: id = "", name }) => [id, name]));
      // Also store unknown ids, so that they are not requested again.
      setNames(
        (now) => new Map([...now, ...asked.split(",").map((id): [string, string] => [id, found.get(id) ?? id])]),
      );
    });
    return () => {
      isOver = true;
    };
  }, [asked, params.brand, params.environment]);
  return names;
}

/** Resolves to null if the search failed. */
export async function searchPayers(params: Which, search: string): Promise<Option[] | null> {
  const outcome = await api.searchRulePayers({ params, query: { search: search.slice(0, 200) } });
  return outcome.kind === "ok" ? outcome.value.data.map(optionOf) : null;
}

function optionOf({ vendorId, name, id }: PayerChoice): Option {
  return { value: vendorId, label: id === undefined ? name : `${name} (${id})` };
}
