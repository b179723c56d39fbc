import { isUuid } from "@countersign/contract/primitives";
import type { FastifyInstance } from "fastify";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { sendShell } from "./html.ts";
import { lookOf } from "./present.ts";

type PreviewOptions = { guard: Guard<void>; assets: WebAssets; dashboardUrl(): string };

/** Our screens with sample values, for the dashboard's previews. Only the dashboard may frame the page. */
export function routesPreviewPage(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  { guard, assets, dashboardUrl }: PreviewOptions,
): void {
  app.get<{ Params: { brand: string } }>("/look/:brand", async (request, reply) => {
    await guard(request, reply);
    const { brand: uuid } = request.params;
    const found = isUuid(uuid) ? await findBrand(homeDeps.home, homeDeps.environment, uuid) : null;
    if (found === null) throw refuse(404, "There is nothing under this path.");
    const dashboard = dashboardUrl();
    const brand = lookOf(homeDeps, found);
    return sendShell(
      reply,
      { language: "en", brand, data: { preview: { dashboard, brand } }, ancestors: dashboard },
      assets,
    );
  });
}
