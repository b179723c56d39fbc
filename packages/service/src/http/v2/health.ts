import { createHealthLookup, listPayers, readHealthLookup } from "@countersign/contract/health";
import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fhirBundle, fhirType } from "../../domain/health/fhir.ts";
import { searchPayers, wirePayer } from "../../domain/health/payers.ts";
import { healthEntity, readLookup } from "../../domain/health/read.ts";
import { startLookup } from "../../domain/health/request.ts";
import { cellOf } from "../cell.ts";
import { type Guard, mount, OtherReply } from "../mount.ts";
import { routesPayerPictures } from "../payer-picture.ts";
import { prefers } from "../prefers.ts";
import { allPrefixes } from "./prefixes.ts";

const defaultLimit = 10;

/** 1-Click Health: lookups, and the directory of payers. */
export function routesHealth(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const mounting = { guard: guards.brand, prefixes: allPrefixes };
  mount(app, createHealthLookup, mounting, async (caller, { body }) => {
    const { provider, serviceCodes, serviceTypeCodes, procedureCodes, ...rest } = body;
    const lookup = await startLookup(await cellOf(homeDeps, body, caller.requestId), caller, {
      ...rest,
      npi: provider?.npi,
      serviceTypeCodes: filled(serviceCodes?.serviceTypeCodes) ?? filled(serviceTypeCodes),
      procedureCodes: filled(serviceCodes?.procedureCodes) ?? filled(procedureCodes),
    });
    const { results: _results, errors: _errors, ...accepted } = healthEntity(lookup);
    return accepted;
  });
  mount(app, readHealthLookup, mounting, async (caller, { params }, { headers }) => {
    const cell = await homeDeps.cells.ofUuid(params.healthDataUuid);
    const lookup = await readLookup(cell, caller, params.healthDataUuid);
    const entity = healthEntity(lookup);
    return prefers(headers.accept, fhirType) ? new OtherReply(fhirBundle(entity, lookup)) : entity;
  });
  routesPayerPictures(app, homeDeps, guards.open);
  mount(app, listPayers, { guard: guards.open, prefixes: allPrefixes }, async (_nobody, { query }) => {
    const { $search = "", $limit, $skip, $paginate } = query;
    const found = searchPayers(homeDeps.payers, $search).map(({ payer }) => wirePayer(homeDeps, payer));
    // Limit the number to one that JSON represents exactly.
    const skip = Math.min(Number($skip ?? 0), Number.MAX_SAFE_INTEGER);
    const limit = Number($limit ?? defaultLimit);
    const isPage = $paginate === "true" || (Object.keys(query).length > 0 && $paginate !== "false");
    if (isPage) return { total: found.length, limit, skip, data: found.slice(skip, skip + limit) };
    return $limit === undefined ? found.slice(skip) : found.slice(skip, skip + limit);
  });
}

/** An empty list means the same as none. */
function filled<Item>(list: Item[] | undefined): Item[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}
