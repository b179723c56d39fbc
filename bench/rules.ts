import type { BrandSettings } from "@countersign/contract/brand";
import { compileRules, decideNetwork, type PlanFacts } from "../packages/service/src/domain/health/network.ts";
import { payersByName, searchPayers } from "../packages/service/src/domain/health/payers.ts";
import { bundledPayers } from "../packages/service/src/providers/payers/directory.ts";
import type { Bench } from "./bench.ts";
import { quantile, timed } from "./timed.ts";

type Rule = BrandSettings["networkRules"][number];

const rulesMax = 10_000;
const decisionMsMax = 20;
const searchMsMax = 2;

/** Measures a brand with the maximum number of rules, all about one plan's payer. Only the last rule matches. */
export async function benchRules(bench: Bench): Promise<void> {
  const rules = Array.from({ length: rulesMax }, (_, at): Rule => {
    const isLast = at === rulesMax - 1;
    const plans = isLast ? ["open access"] : [`plan ${at}`, `choice ${at}`];
    return {
      name: `Rule ${at}`,
      status: at % 2 === 0 ? "IN_NETWORK" : "OUT_OF_NETWORK",
      conditions: [
        { key: "payerId", operator: "EQUAL", values: ["V404110"] },
        { key: "planName", operator: "INCLUDE", values: plans },
        { key: "groupName", operator: "NOT_INCLUDE", values: [`hooli ${at}`] },
      ],
    };
  });
  const facts: PlanFacts = {
    payerId: ["V404110", "GROUP_BLUES"],
    planName: ["Aetna Open Access Managed Choice POS II"],
    groupName: ["Pied Piper Incorporated, all employees"],
    insuranceTypeCodes: ["PR", "HM"],
  };
  const ready = compileRules(rules);
  const decide = (among: ReturnType<typeof compileRules>) => decideNetwork(among, facts, "2026-01-02");
  if (decide(ready).rules.length !== 1) throw new Error("one of the rules should decide");
  const decided = await timed(200, () => decide(ready));
  const first = await timed(50, () => decide(compileRules(rules)));
  const title = `${rulesMax} network rules on one plan, ms`;
  bench.row({ what: title, figure: quantile(decided, 0.5), limit: decisionMsMax });
  bench.row({ what: `${title} (first after a change)`, figure: quantile(first, 0.5), limit: decisionMsMax });
}

/** Searches for each payer by a name with a typo: two letters of its longest word are swapped. */
export async function benchPayers(bench: Bench): Promise<void> {
  const directory = bundledPayers();
  const searches = directory.payers.map(({ name }) => withSlip(name));
  const found = directory.payers.filter(({ name }, at) =>
    searchPayers(directory, searches[at] ?? "").some((hit) => hit.payer.name === name),
  );
  if (payersByName(directory, "Aetna").length === 0 || found.length < searches.length / 2)
    throw new Error("the search does not tolerate typos");
  let at = 0;
  const taken = await timed(searches.length * 3, () => {
    at = (at + 1) % searches.length;
    return searchPayers(directory, searches[at] ?? "");
  });
  const title = `search with a slip over ${directory.payers.length} payers, p95 ms`;
  bench.row({ what: title, figure: quantile(taken, 0.95), limit: searchMsMax });
}

function withSlip(name: string): string {
  const [longest = ""] = name.split(/[^\p{L}]+/u).sort((a, b) => b.length - a.length);
  const middle = longest.length >> 1;
  const letters = [...longest];
  const [one = "", other = ""] = [letters[middle - 1], letters[middle]];
  letters.splice(middle - 1, 2, other, one);
  return name.replace(longest, letters.join(""));
}
