import { versionText } from "@countersign/contract/text-version";
import { type ComponentChildren, h } from "preact";
import type { HtmlPage } from "./html.ts";
import type { Language } from "./words.ts";

type Paragraph = { icon: string; heading: string; text: ComponentChildren };
type Legal = { title: string; paragraphs: Paragraph[] };

/** The paths of the tiles beside the headings, in a box of 24 by 24. */
const icons = {
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 8v.01",
  check: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.5 12.5l2.5 2.5 4.5-5.5",
  cross: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9l6 6M15 9l-6 6",
  money: "M12 3v18M16 7.5C16 6 14.2 5.5 12 5.5S8 6.6 8 8.8s2 2.8 4 3.2 4 1 4 3.2-1.8 3.3-4 3.3-4-.8-4-2.5",
  ban: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM5.7 5.7l12.6 12.6",
  stack:
    "M4 6.5C4 5 7.6 4 12 4s8 1 8 2.5S16.4 9 12 9 4 8 4 6.5zM4 6.5v11C4 19 7.6 20 12 20s8-1 8-2.5v-11M4 12c0 1.5 3.6 2.5 8 2.5s8-1 8-2.5",
  building: "M5 21V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16M3 21h18M9 8h1M14 8h1M9 12h1M14 12h1M10 21v-4h4v4",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.8-3.5 3.6-5.5 7.5-5.5s6.7 2 7.5 5.5",
} as const;

/** The day of the last change of the words, which the pages show. */
const versions = { terms: "2026-11-30", privacy: "2026-11-25" } as const;
const versionWords: Record<Language, (day: string) => string> = {
  en: (day) => `Version of ${day}`,
  es: (day) => `Versión del ${day}`,
};
const contentsWords: Record<Language, string> = { en: "On this page", es: "En esta página" };

const terms: Record<Language, Legal> = {
  en: {
    title: "Terms of use",
    paragraphs: [
      {
        icon: icons.info,
        heading: "What this is",
        text: "A company asks for details about you. Countersign finds them, shows them to you, and gives them to the company only if you choose Share. Your contract is with the operator of this server, whose own terms may add to these.",
      },
      {
        icon: icons.check,
        heading: "What you agree to",
        text: "When you verify your phone, you agree to receive the text messages that this takes, and you let us look up your details. When you choose Share, you direct us to give the details on that page to the company named there. You confirm that they are yours, and that you are at least 18 or have a parent’s consent.",
      },
      {
        icon: icons.cross,
        heading: "If you decline",
        text: "You can decline at any step, at no cost. The company then still gets your phone number and a fraud-risk rating for it, and none of your other details.",
      },
      {
        icon: icons.money,
        heading: "What it costs",
        text: "We charge you nothing. Your carrier’s message and data rates may apply.",
      },
      {
        icon: icons.ban,
        heading: "What we don’t do",
        text: "We don’t sell your data or use it for advertising. We can’t promise that a source has your data or that it is correct, so check it before you share it.",
      },
    ],
  },
  es: {
    title: "Condiciones de uso",
    paragraphs: [
      {
        icon: icons.info,
        heading: "Qué es esto",
        text: "Una empresa pide datos sobre usted. Countersign los busca, se los muestra y los entrega a la empresa solo si usted elige Compartir. Su contrato es con quien opera este servidor, que puede añadir sus propias condiciones.",
      },
      {
        icon: icons.check,
        heading: "Qué acepta usted",
        text: "Al verificar su teléfono, acepta recibir los mensajes de texto necesarios y nos permite buscar sus datos. Al elegir Compartir, nos indica que entreguemos los datos de esa página a la empresa nombrada allí. Usted confirma que son suyos y que tiene al menos 18 años o el consentimiento de sus padres.",
      },
      {
        icon: icons.cross,
        heading: "Si no comparte",
        text: "Puede negarse en cualquier paso, sin costo. La empresa recibe de todos modos su número de teléfono y una calificación del riesgo de fraude de ese número, y ninguno de sus demás datos.",
      },
      {
        icon: icons.money,
        heading: "Cuánto cuesta",
        text: "No le cobramos nada. Su operador móvil puede cobrar por mensajes y datos.",
      },
      {
        icon: icons.ban,
        heading: "Qué no hacemos",
        text: "No vendemos sus datos ni los usamos para publicidad. No podemos prometer que una fuente tenga sus datos ni que sean correctos, así que revíselos antes de compartirlos.",
      },
    ],
  },
};

const privacy: Record<Language, Legal> = {
  en: {
    title: "Privacy policy",
    paragraphs: [
      {
        icon: icons.stack,
        heading: "What we process",
        text: "Your phone number and a fraud-risk rating for it, what you enter here, the details that our sources have about you, cards that companies issue to you, and your decisions with their time and the text you saw. Your details are encrypted with a key of your own.",
      },
      {
        icon: icons.building,
        heading: "Who gets it",
        text: "The company that asks, and no one else. If you choose Share, it gets the details on that page. If you decline, it still gets your phone number and a fraud-risk rating for it, and none of your other details.",
      },
      {
        icon: icons.clock,
        heading: "How long we keep it",
        text: "The company can read shared details here for at most one hour, and then we erase them. We keep proof of your decisions, without your details, for five years. Cards that companies issue stay until you delete your data.",
      },
      {
        icon: icons.person,
        heading: "Your rights",
        text: [
          h("a", { href: "/" }, "Sign in with your phone"),
          " to see who received and read your data. There you can stop sharing, and correct, download or delete your data. Deleting destroys your key, so that no one can read your details again.",
        ],
      },
    ],
  },
  es: {
    title: "Política de privacidad",
    paragraphs: [
      {
        icon: icons.stack,
        heading: "Qué datos tratamos",
        text: "Su número de teléfono y una calificación del riesgo de fraude de ese número, lo que escribe aquí, los datos que nuestras fuentes tienen de usted, las tarjetas que le emiten las empresas y sus decisiones, con su hora y el texto que vio. Sus datos se cifran con una clave propia de usted.",
      },
      {
        icon: icons.building,
        heading: "Quién los recibe",
        text: "La empresa que los pide, y nadie más. Si usted elige Compartir, recibe los datos de esa página. Si no comparte, recibe de todos modos su número de teléfono y una calificación del riesgo de fraude de ese número, y ninguno de sus demás datos.",
      },
      {
        icon: icons.clock,
        heading: "Cuánto tiempo los guardamos",
        text: "La empresa puede leer aquí los datos compartidos durante una hora como máximo; después los borramos. Guardamos la prueba de sus decisiones, sin sus datos, durante cinco años. Las tarjetas que emiten las empresas se quedan hasta que usted borra sus datos.",
      },
      {
        icon: icons.person,
        heading: "Sus derechos",
        text: [
          h("a", { href: "/" }, "Inicie sesión con su teléfono"),
          " para ver quién recibió y leyó sus datos. Allí puede dejar de compartirlos, corregirlos, descargarlos o borrarlos. Al borrarlos se destruye su clave, y nadie puede volver a leerlos.",
        ],
      },
    ],
  },
};

/** The terms or the privacy policy, to which the consent text links. */
export function legalPage(which: "terms" | "privacy", language: Language): HtmlPage {
  const { title, paragraphs } = { terms, privacy }[which][language];
  const idOf = (at: number) => `part-${at + 1}`;
  return {
    language,
    title,
    look: "legal",
    content: [
      h("p", { class: "lead" }, versionWords[language](versionText(versions[which], language))),
      h(
        "div",
        { class: "chapters" },
        h(
          "nav",
          { "aria-label": contentsWords[language] },
          paragraphs.map(({ heading }, at) => h("a", { href: `#${idOf(at)}` }, heading)),
        ),
        h(
          "div",
          null,
          paragraphs.map(({ icon, heading, text }, at) => [
            h("h2", { id: idOf(at), class: "headed" }, tile(icon), h("span", null, heading)),
            h("p", null, text),
          ]),
        ),
      ),
    ],
  };
}

const tile = (path: string) =>
  h(
    "span",
    { class: "tile", "aria-hidden": "true" },
    h("svg", { class: "icon", viewBox: "0 0 24 24" }, h("path", { d: path })),
  );
