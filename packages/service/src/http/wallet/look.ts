import { isUuid } from "@countersign/contract/primitives";
import { themeSheet } from "@countersign/contract/theme";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyInstance, FastifyReply } from "fastify";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import type { Deps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { sendPage } from "./html.ts";
import { lookOf } from "./present.ts";

/** How a look appears on a page of ours, for whoever chooses it. Nothing on it is anybody's, and only the dashboard frames it. */
const sample = `<div class="field"><div class="label"><label for="sample">Phone number</label></div><input id="sample" class="input" value="(212) 555-0010" readonly><p class="hint">A US mobile number</p></div>
<div class="field"><div class="label"><label for="wrong">Verification code</label></div><input id="wrong" class="input" value="123" aria-invalid="true" readonly><p class="problem">That code is not right.</p></div>
<div class="actions"><button type="button" class="button main">Continue</button><button type="button" class="button">Continue without autofill</button></div>
<p class="quiet">By continuing you agree to the <a href="/terms">Terms of use</a>.</p>`;

type About = { guard: Guard<void>; assets: WebAssets; dashboardUrl(): string };

/** With a brand it has the brand's own name and logo, which every page of the brand shows anyway. */
export function routesLook(app: FastifyInstance, deps: Deps, { guard, assets, dashboardUrl }: About): void {
  const show = async (reply: FastifyReply, theme: string, shown: Pick<BrandLook, "name" | "logo">) => {
    const name = `${theme}.css`;
    if (themeSheet(name) === null) throw refuse(404, "There is nothing under this path.");
    const brand = {
      ...shown,
      manualSignup: "hide" as const,
      theme: `/theme/${name}`,
      successAnimation: "none" as const,
    };
    const page = { language: "en" as const, title: "Continue with your phone", step: "look", brand, html: sample };
    return sendPage(reply, { ...page, hasSwitch: false, ancestors: dashboardUrl() }, assets);
  };
  app.get<{ Params: { theme: string } }>("/look/:theme", async (request, reply) => {
    await guard(request, reply);
    return await show(reply, request.params.theme, { name: "Your brand" });
  });
  app.get<{ Params: { theme: string; brand: string } }>("/look/:theme/:brand", async (request, reply) => {
    await guard(request, reply);
    const { theme, brand: uuid } = request.params;
    const brand = isUuid(uuid) ? await findBrand(deps.db, deps.environment, uuid) : null;
    if (brand === null) throw refuse(404, "There is nothing under this path.");
    return await show(reply, theme, lookOf(brand));
  });
}
