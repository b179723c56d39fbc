/** The page on which a person enters their phone number. It works without a script. */
import { consentParts, consentTexts, provingText } from "@countersign/contract/consent";
import type { BrandLook } from "@countersign/contract/wallet";
import type { FastifyRequest } from "fastify";
import { type ComponentChildren, h } from "preact";
import { asksForOfClient, type Interaction } from "../../domain/openid/interaction.ts";
import type { Document } from "../server.ts";
import type { WebAssets } from "../wallet/assets.ts";
import { documentOf, type HtmlPage, languageOf } from "../wallet/html.ts";
import { messagePage } from "../wallet/link-page.ts";
import { type Language, words as walletWords } from "../wallet/words.ts";

export type PhoneProblem = "phone" | "busy" | "texts" | "renamed";

const words = {
  en: {
    title: (name: string) => `Continue to ${name}`,
    lead: "Enter your phone number. We’ll text you a code.",
    label: "Phone number",
    send: "Continue",
    problems: {
      phone: "Enter a US phone number.",
      busy: "Too many phone numbers were tried. Go back and start again.",
      texts: "We can’t text this number now. Try again later.",
    },
    optOut: "Continue without autofill",
    failed: {
      title: "This sign-in can’t continue",
      text: "Go back to the website or app where you started, and try again.",
    },
  },
  es: {
    title: (name: string) => `Continuar a ${name}`,
    lead: "Ingrese su número de teléfono. Le enviaremos un código por mensaje de texto.",
    label: "Número de teléfono",
    send: "Continuar",
    problems: {
      phone: "Ingrese un número de teléfono de EE. UU.",
      busy: "Se probaron demasiados números. Vuelva atrás y empiece de nuevo.",
      texts: "Ahora no podemos enviar mensajes a este número. Inténtelo más tarde.",
    },
    optOut: "Continuar sin autocompletar",
    failed: {
      title: "No se puede continuar",
      text: "Vuelva al sitio o a la aplicación donde empezó e inténtelo de nuevo.",
    },
  },
};

type PhonePageOptions = { look: BrandLook; language: Language; problem?: PhoneProblem; typed: string };

export function phonePage(interaction: Interaction, { look, language, problem, typed }: PhonePageOptions): HtmlPage {
  const say = words[language];
  const kind = provingText({ known: false, asksFor: asksForOfClient(interaction) });
  const { version } = consentTexts[kind];
  // A new name is no problem of the phone.
  const ofPhone = problem === "renamed" ? undefined : problem;
  return {
    language,
    brand: look,
    step: "phone",
    keepsOpener: true,
    title: say.title(look.name),
    content: [
      h("p", { class: "lead" }, say.lead),
      problem === "renamed" ? h("p", { class: "notice", role: "alert" }, walletWords[language].renamed) : null,
      h(
        "form",
        { method: "post" },
        phoneField(typed, { label: say.label, problem: ofPhone === undefined ? null : say.problems[ofPhone] }),
        h("input", { type: "hidden", name: "version", value: version }),
        h("input", { type: "hidden", name: "brand", value: look.name }),
        h(
          "div",
          { class: "actions" },
          h("button", { class: "button main", "aria-describedby": "agree" }, say.send),
          h(
            "p",
            { class: "fine", id: "agree", "data-consent": "" },
            textOf(consentTexts[kind][language].text, look.name),
          ),
          h("a", { class: "link", href: `/openid/interaction/${interaction.uid}/finish` }, say.optOut),
        ),
      ),
    ],
  };
}

function phoneField(typed: string, { label, problem }: { label: string; problem: string | null }): ComponentChildren {
  return h(
    "div",
    { class: "field" },
    h("div", { class: "label" }, h("label", { for: "phone" }, label)),
    h("input", {
      class: "input",
      id: "phone",
      name: "phone",
      type: "tel",
      inputMode: "tel",
      autocomplete: "tel-national",
      required: true,
      maxLength: 64,
      value: typed,
      ...(problem === null ? {} : { "aria-invalid": "true", "aria-describedby": "phone-error" }),
    }),
    problem === null
      ? null
      : h("div", { class: "about-input", role: "alert" }, h("p", { class: "problem", id: "phone-error" }, problem)),
  );
}

function textOf(piece: string, brand: string): ComponentChildren {
  return consentParts(piece, brand).map(({ text, link }) =>
    link === undefined ? text : h("a", { href: `/${link}`, target: "_blank", rel: "noopener" }, text),
  );
}

export function errorPage(request: FastifyRequest, assets: WebAssets): Document {
  const language = languageOf(request);
  const page = messagePage({ language, step: "error" }, words[language].failed, "broken");
  return documentOf({ ...page, keepsOpener: true }, assets);
}
