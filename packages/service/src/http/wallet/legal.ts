import { type ComponentChildren, h } from "preact";
import type { Page } from "./html.ts";
import type { Language } from "./words.ts";

type Paragraph = { heading: string; text: ComponentChildren };
type Legal = { title: string; paragraphs: Paragraph[] };

const terms: Record<Language, Legal> = {
  en: {
    title: "Terms of use",
    paragraphs: [
      {
        heading: "What this is",
        text: "Countersign shows you the data that a company asks for, and passes it on only when you say so. Whoever runs this server is your contract partner; their own terms may add to these.",
      },
      {
        heading: "What you agree to",
        text: "By proving your phone you agree to receive the text messages that this takes. By choosing Share you direct us to give the values on that page to the company named there. You confirm that they are yours and that you are at least 18, or act with a parent's consent.",
      },
      {
        heading: "What you can do",
        text: "You can decline at any step. Declining costs nothing; the company then learns only that your phone was verified. Message and data rates of your carrier may apply.",
      },
      {
        heading: "What we do not do",
        text: "We do not sell your data, and we do not pass it on for advertising. We do not promise that a source has your data, or that it is right: check it before you share it.",
      },
    ],
  },
  es: {
    title: "Condiciones de uso",
    paragraphs: [
      {
        heading: "Qué es esto",
        text: "Countersign le muestra los datos que pide una empresa y solo los entrega cuando usted lo dice. Quien opera este servidor es la otra parte del contrato; puede añadir sus propias condiciones.",
      },
      {
        heading: "Qué acepta usted",
        text: "Al verificar su teléfono acepta recibir los mensajes de texto necesarios. Al elegir Compartir nos indica que entreguemos los valores de esa página a la empresa nombrada. Usted confirma que son suyos y que tiene al menos 18 años, o que actúa con el consentimiento de sus padres.",
      },
      {
        heading: "Qué puede hacer",
        text: "Puede negarse en cualquier paso. Negarse no cuesta nada; la empresa solo sabrá que su teléfono fue verificado. Su operador puede cobrar mensajes y datos.",
      },
      {
        heading: "Qué no hacemos",
        text: "No vendemos sus datos ni los entregamos para publicidad. No prometemos que una fuente tenga sus datos ni que sean correctos: revíselos antes de compartirlos.",
      },
    ],
  },
};

const privacy: Record<Language, Legal> = {
  en: {
    title: "Privacy policy",
    paragraphs: [
      {
        heading: "What is processed",
        text: "Your phone number, what you type here, the values found for you at our sources, what you decided with the words you saw, and when. The values are encrypted under a key of your own.",
      },
      {
        heading: "Why, and for whom",
        text: "To show you what a company asks for and to give it to that company when you choose Share. Nobody else receives it.",
      },
      {
        heading: "For how long",
        text: "The company can read shared values for at most one hour here; then they are erased. The record of your decision, without the values, is kept for five years as evidence.",
      },
      {
        heading: "Your rights",
        text: [
          "You may ask what is held about you, have it corrected or deleted, and withdraw a decision. Deleting destroys the key, so that nothing sealed under it can be read again. ",
          h("a", { href: "/" }, "Sign in with your phone"),
          " to do all of this yourself: see every read, correct what you typed, stop a company, download, delete.",
        ],
      },
    ],
  },
  es: {
    title: "Política de privacidad",
    paragraphs: [
      {
        heading: "Qué se trata",
        text: "Su número de teléfono, lo que escribe aquí, los valores que nuestras fuentes tienen de usted, lo que decidió con las palabras que vio, y cuándo. Los valores se cifran con una clave propia de usted.",
      },
      {
        heading: "Para qué y para quién",
        text: "Para mostrarle qué pide una empresa y entregárselo cuando usted elige Compartir. Nadie más lo recibe.",
      },
      {
        heading: "Por cuánto tiempo",
        text: "La empresa puede leer aquí los valores compartidos durante una hora como máximo; después se borran. El registro de su decisión, sin los valores, se guarda cinco años como prueba.",
      },
      {
        heading: "Sus derechos",
        text: [
          "Puede preguntar qué se guarda sobre usted, pedir que se corrija o se borre, y retirar una decisión. Al borrar se destruye la clave, y nada de lo cifrado con ella puede volver a leerse. ",
          h("a", { href: "/" }, "Entre con su teléfono"),
          " para hacer todo esto usted mismo: ver cada lectura, corregir lo que escribió, detener a una empresa, descargar, borrar.",
        ],
      },
    ],
  },
};

/** The terms or the privacy policy, to which the consent text links. */
export function legalPage(which: "terms" | "privacy", language: Language): Page {
  const { title, paragraphs } = { terms, privacy }[which][language];
  return {
    language,
    title,
    content: paragraphs.map(({ heading, text }) => [h("h2", null, heading), h("p", null, text)]),
  };
}
