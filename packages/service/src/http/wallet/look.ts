import { isUuid } from "@countersign/contract/primitives";
import { themeSheet } from "@countersign/contract/theme";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type ComponentChildren, h } from "preact";
import { findBrand } from "../../domain/brand/brand-rows.ts";
import type { Deps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { sendPage } from "./html.ts";
import { lookOf } from "./present.ts";

/** A sample of our pages in a brand's styling, for the member who edits it. Only the dashboard may frame it. */
const sample: ComponentChildren = [
  field(
    { id: "sample", label: "Phone number", value: "(212) 555-0010" },
    h("p", { class: "hint" }, "A US mobile number"),
  ),
  field(
    { id: "wrong", label: "Verification code", value: "123", "aria-invalid": "true" },
    h("p", { class: "problem" }, "That code isn’t right. You have 2 tries left."),
  ),
  h(
    "div",
    { class: "actions" },
    h("button", { type: "button", class: "button main" }, "Continue"),
    h("button", { type: "button", class: "button" }, "Continue without autofill"),
  ),
  h("p", { class: "quiet" }, "By continuing you agree to the ", h("a", { href: "/terms" }, "Terms of use"), "."),
];

type Field = { id: string; label: string; value: string; "aria-invalid"?: "true" };

function field({ id, label, ...input }: Field, note: ComponentChildren): ComponentChildren {
  return h(
    "div",
    { class: "field" },
    h("div", { class: "label" }, h("label", { for: id }, label)),
    h("input", { id, class: "input", ...input, readonly: true }),
    note,
  );
}

type About = { guard: Guard<void>; assets: WebAssets; dashboardUrl(): string };

/** The sample page, with the name and logo of a brand if the path names one. */
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
    const page = { language: "en" as const, title: "Continue with your phone", step: "look", brand, content: sample };
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
