import { type PayerChoice, searchRulePayers, tryNetworkRules } from "@countersign/contract/dashboard-rules";
import type { Payer } from "@countersign/contract/health";
import type { FastifyInstance } from "fastify";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { tryRules } from "../../domain/health/network-trial.ts";
import { findPayer, searchPayers } from "../../domain/health/payers.ts";
import { brandOf, type Dashboard, mountMember } from "./guard.ts";

/** Maximum number of payers that a search returns, and of ids that one call looks up. */
const choicesMax = 10;
const idsMax = 200;

/** Endpoints for writing network rules. The rules themselves are settings. */
export function routesRules(app: FastifyInstance, dashboard: Dashboard): void {
  mountMember(app, dashboard, searchRulePayers, async (who, { params, query }) => {
    await brandOf(dashboard, who, params);
    const {
      vendors: { payers },
    } = anyEnvironment(dashboard);
    if (query.ids !== undefined) {
      const ids = query.ids.split(",").slice(0, idsMax);
      const found = ids.map((id) => ({ id, hit: findPayer(payers, id) }));
      return { data: found.flatMap(({ id, hit }) => (hit === undefined ? [] : [{ ...choiceOf(hit), asked: id }])) };
    }
    return {
      data: searchPayers(payers, query.search ?? "")
        .slice(0, choicesMax)
        .map(choiceOf),
    };
  });
  mountMember(app, dashboard, tryNetworkRules, async (who, { params, body }) => {
    const { brand } = await brandOf(dashboard, who, params);
    return tryRules(anyEnvironment(dashboard), { ...body, rules: body.rules ?? brand.settings.networkRules });
  });
}

/**
 * Any served environment works, because all share the payer directory and a trial calls no payer. Members can therefore
 * prepare rules before production runs.
 */
function anyEnvironment({ environments }: Dashboard): HomeDeps {
  const deps = environments.production ?? environments.sandbox;
  if (deps === undefined) throw refuse(409, "This service runs no environment.");
  return deps;
}

function choiceOf({ payer, isGroup }: NonNullable<ReturnType<typeof findPayer>>): PayerChoice {
  const { name, vendorId, ids }: Pick<Payer, "name" | "vendorId" | "ids"> = payer;
  const [id] = ids;
  return { vendorId, name, ...(isGroup || id === undefined ? {} : { id }) };
}
