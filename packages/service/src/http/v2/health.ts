import { createHealthLookup, listPayers, readHealthLookup } from "@countersign/contract/health";
import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { fhirBundle, fhirType } from "../../domain/health/fhir.ts";
import { healthEntity, readLookup } from "../../domain/health/outcome.ts";
import { payerWarnings, searchPayers, wirePayer } from "../../domain/health/payers.ts";
import { startLookup } from "../../domain/health/request.ts";
import { allPrefixes } from "../generations.ts";
import { type Guard, mount, OtherReply } from "../mount.ts";
import { routesPayerPictures } from "../payer-picture.ts";

const defaultLimit = 10;

/** 1-Click Health: lookups, and the directory of payers. */
export function routesHealth(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const mounting = { guard: guards.brand, prefixes: allPrefixes, homeDeps };
  mount(
    app,
    createHealthLookup,
    mounting,
    async (caller, { body }, { deps }) => {
      const { provider, serviceCodes, serviceTypeCodes, procedureCodes, ...rest } = body;
      const lookup = await startLookup(deps, caller, {
        ...rest,
        npi: provider?.npi,
        serviceTypeCodes: filled(serviceCodes?.serviceTypeCodes) ?? filled(serviceTypeCodes),
        procedureCodes: filled(serviceCodes?.procedureCodes) ?? filled(procedureCodes),
      });
      const { results: _results, errors: _errors, ...accepted } = healthEntity(lookup);
      return accepted;
    },
    (_caller, { body }) => payerWarnings(homeDeps.vendors.payers, body.payer),
  );
  mount(app, readHealthLookup, mounting, async (caller, { params }, { deps, request }) => {
    const lookup = await readLookup(deps, caller, params.healthDataUuid);
    const entity = healthEntity(lookup);
    return prefers(request.headers.accept, fhirType) ? new OtherReply(fhirBundle(entity, lookup)) : entity;
  });
  routesPayerPictures(app, homeDeps, guards.open);
  mount(app, listPayers, { guard: guards.open, prefixes: allPrefixes }, async (_nobody, { query }) => {
    const { $search = "", $limit, $skip, $paginate } = query;
    const found = searchPayers(homeDeps.vendors.payers, $search).map(({ payer }) => wirePayer(homeDeps, payer));
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

/** Maximum number of media ranges of an `Accept` that are read. */
const rangesMax = 20;

/** Whether an `Accept` prefers this type to JSON. A type that is not named is not preferred. */
export function prefers(accept: string | undefined, type: string): boolean {
  const ranges = (accept ?? "").toLowerCase().split(",").slice(0, rangesMax).map(rangeOf);
  const quality = (name: string) => ranges.find((range) => range.name === name)?.quality ?? 0;
  return quality(type) > 0 && quality(type) >= quality("application/json");
}

function rangeOf(text: string): { name: string; quality: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const number = quality === undefined ? 1 : Number(quality);
  return { name, quality: Number.isNaN(number) ? 0 : number };
}
