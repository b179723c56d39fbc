import { type ComponentChildren, h } from "preact";
import type { HtmlPage } from "./html.ts";
import type { Language } from "./words.ts";

type Paragraph = { heading: string; text: ComponentChildren };
type Legal = { title: string; paragraphs: Paragraph[] };

const terms: Record<Language, Legal> = {
  en: {
    title: "Terms of use",
    paragraphs: [
      {
        heading: "What this is",
        text: "A company asks for details about you. Countersign finds them, shows them to you, and gives them to the company only if you choose Share. Your contract is with the operator of this server, whose own terms may add to these.",
      },
      {
        heading: "What you agree to",
        text: "When you verify your phone, you agree to receive the text messages that this takes, and you let us look up your details. When you choose Share, you direct us to give the details on that page to the company named there. You confirm that they are yours, and that you are at least 18 or have a parent’s consent.",
      },
      {
        heading: "If you decline",
        text: "You can decline at any step, at no cost. The company then still gets your phone number and a fraud-risk rating for it, and none of your other details.",
      },
      {
        heading: "What it costs",
        text: "We charge you nothing. Your carrier’s message and data rates may apply.",
      },
      {
        heading: "What we don’t do",
        text: "We don’t sell your data or use it for advertising. We can’t promise that a source has your data or that it is correct, so check it before you share it.",
      },
    ],
  },
  es: {
    title: "Condiciones de uso",
    paragraphs: [
      {
        heading: "Qué es esto",
        text: "Una empresa pide datos sobre usted. Countersign los busca, se los muestra y los entrega a la empresa solo si usted elige Compartir. Su contrato es con quien opera este servidor, que puede añadir sus propias condiciones.",
      },
      {
        heading: "Qué acepta usted",
        text: "Al verificar su teléfono, acepta recibir los mensajes de texto necesarios y nos permite buscar sus datos. Al elegir Compartir, nos indica que entreguemos los datos de esa página a la empresa nombrada allí. Usted confirma que son suyos y que tiene al menos 18 años o el consentimiento de sus padres.",
      },
      {
        heading: "Si no comparte",
        text: "Puede negarse en cualquier paso, sin costo. La empresa recibe de todos modos su número de teléfono y una calificación del riesgo de fraude de ese número, y ninguno de sus demás datos.",
      },
      {
        heading: "Cuánto cuesta",
        text: "No le cobramos nada. Su operador móvil puede cobrar por mensajes y datos.",
      },
      {
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
        heading: "What we process",
        text: "Your phone number and a fraud-risk rating for it, what you enter here, the details that our sources have about you, cards that companies issue to you, and your decisions with their time and the text you saw. Your details are encrypted with a key of your own.",
      },
      {
        heading: "Who gets it",
        text: "The company that asks, and no one else. If you choose Share, it gets the details on that page. If you decline, it still gets your phone number and a fraud-risk rating for it, and none of your other details.",
      },
      {
        heading: "How long we keep it",
        text: "The company can read shared details here for at most one hour, and then we erase them. We keep proof of your decisions, without your details, for five years. Cards that companies issue stay until you delete your data.",
      },
      {
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
        heading: "Qué datos tratamos",
        text: "Su número de teléfono y una calificación del riesgo de fraude de ese número, lo que escribe aquí, los datos que nuestras fuentes tienen de usted, las tarjetas que le emiten las empresas y sus decisiones, con su hora y el texto que vio. Sus datos se cifran con una clave propia de usted.",
      },
      {
        heading: "Quién los recibe",
        text: "La empresa que los pide, y nadie más. Si usted elige Compartir, recibe los datos de esa página. Si no comparte, recibe de todos modos su número de teléfono y una calificación del riesgo de fraude de ese número, y ninguno de sus demás datos.",
      },
      {
        heading: "Cuánto tiempo los guardamos",
        text: "La empresa puede leer aquí los datos compartidos durante una hora como máximo; después los borramos. Guardamos la prueba de sus decisiones, sin sus datos, durante cinco años. Las tarjetas que emiten las empresas se quedan hasta que usted borra sus datos.",
      },
      {
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
  return {
    language,
    title,
    content: paragraphs.map(({ heading, text }) => [h("h2", null, heading), h("p", null, text)]),
  };
}
