/** The sample's brands in the sandbox. Their keys are kept in a file, so that each run uses the same brands. */
import { readFile, writeFile } from "node:fs/promises";
import { countersign } from "./countersign.mjs";

/** How the shop can integrate. Each way needs a brand of its own type. */
export const ways = { sdk: "SDK", hosted: "Hosted", api: "API" };

/**
 * Returns the API key of each way's brand. Usually you create a brand once in the dashboard. In the sandbox a call
 * creates it, and demo keys may make that call.
 */
export async function openBrands({ apiUrl, file, settings }) {
  const kept = JSON.parse(await readFile(file, "utf8").catch(() => "{}"));
  const brands = {};
  for (const [integrationType, name] of Object.entries(ways)) {
    const brand = await openBrand({ apiUrl, known: kept[apiUrl]?.[integrationType], settings });
    brands[integrationType] =
      brand ?? (await createBrand({ apiUrl, name, settings: { ...settings, integrationType } }));
  }
  await writeFile(file, JSON.stringify({ ...kept, [apiUrl]: brands }), { mode: 0o600 });
  return Object.fromEntries(Object.entries(brands).map(([integrationType, { apiKey }]) => [integrationType, apiKey]));
}

/** The brand of an earlier run, with the settings of this one. Null if this sandbox does not have it. */
async function openBrand({ apiUrl, known, settings }) {
  if (known === undefined) return null;
  const changed = await countersign({ apiUrl, apiKey: known.apiKey })
    .changeBrand(known.uuid, settings)
    .catch(() => null);
  return changed === null ? null : known;
}

async function createBrand({ apiUrl, name, settings }) {
  const operator = countersign({ apiUrl, apiKey: "sk_sandbox_demo_api" });
  const { uuid, apiKey } = await operator.createBrand({ name: `Example shop, ${name}`, settings });
  return { uuid, apiKey };
}
