import { themeSheet } from "@countersign/contract/theme";
import type { FastifyInstance } from "fastify";
import { refuse } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { sendPage } from "./html.ts";

/** How a look appears on a page of ours, for whoever chooses it. Nothing on it is anybody's, and only the dashboard frames it. */
const sample = `<div class="field"><div class="label"><label for="sample">Phone number</label></div><input id="sample" class="input" value="(212) 555-0010" readonly><p class="hint">A US mobile number</p></div>
<div class="field"><div class="label"><label for="wrong">Verification code</label></div><input id="wrong" class="input" value="123" aria-invalid="true" readonly><p class="problem">That code is not right.</p></div>
<div class="actions"><button type="button" class="button main">Continue</button><button type="button" class="button">Continue without autofill</button></div>
<p class="quiet">By continuing you agree to the <a href="/terms">Terms of use</a>.</p>`;

export function routesLook(
  app: FastifyInstance,
  { guard, assets, dashboardUrl }: { guard: Guard<void>; assets: WebAssets; dashboardUrl(): string },
): void {
  app.get<{ Params: { theme: string } }>("/look/:theme", async (request, reply) => {
    await guard(request, reply);
    const name = `${request.params.theme}.css`;
    if (themeSheet(name) === null) throw refuse(404, "There is nothing under this path.");
    const brand = {
      name: "Your brand",
      manualSignup: "hide" as const,
      theme: `/theme/${name}`,
      successAnimation: "none" as const,
    };
    const page = { language: "en" as const, title: "Continue with your phone", step: "look", brand, html: sample };
    return sendPage(reply, { ...page, hasSwitch: false, ancestors: dashboardUrl() }, assets);
  });
}
