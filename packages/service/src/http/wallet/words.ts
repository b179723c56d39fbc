/** The words of the pages that work without a script. The applications' words are in `packages/web`. */
import type { ComponentChild, ComponentChildren } from "preact";

export type Language = "en" | "es";

const en = {
  product: "Countersign",
  otherLanguage: "Español",
  secured: "Secured by Countersign",
  terms: "Terms",
  privacy: "Privacy",
  noScriptTitle: "This page needs JavaScript",
  noScript: "Switch JavaScript on for this page and load it again, or open the link in another browser.",
  proceed: "Continue",
  deny: "I did not ask for this",
  linkTitle: (name: string) => `Verify your phone for ${name}`,
  linkAsks: (name: ComponentChild, sent: ComponentChild): ComponentChildren => [
    name,
    " asks you to verify that this phone is yours. The text was sent on ",
    sent,
    ".",
  ],
  linkTells: (name: string) =>
    `Continue only if you asked for this just now. ${name} gets to know that you hold this phone, and nothing else.`,
  linkShares: (name: string) =>
    `Continue only if you asked for this just now. ${name} then receives the details about you that you agreed to there.`,
  linkLeadsOn: (name: string) =>
    `Continue only if you asked for this just now. You then see what ${name} asks for, and decide whether to share it.`,
  over: {
    title: "This link is over",
    text: "It was used already, replaced by a newer text, or its five minutes have passed. Ask for a new text where you came from.",
  },
  denied: { title: "Thank you", text: "Nothing was verified, and no further text is sent for this." },
  verified: { title: "Your phone is verified", text: "You can go back to where you came from." },
};

const es: typeof en = {
  product: "Countersign",
  otherLanguage: "English",
  secured: "Protegido por Countersign",
  terms: "Condiciones",
  privacy: "Privacidad",
  noScriptTitle: "Esta página necesita JavaScript",
  noScript: "Active JavaScript para esta página y vuelva a cargarla, o abra el enlace en otro navegador.",
  proceed: "Continuar",
  deny: "Yo no pedí esto",
  linkTitle: (name) => `Verifique su teléfono para ${name}`,
  linkAsks: (name, sent) => [name, " le pide verificar que este teléfono es suyo. El mensaje se envió el ", sent, "."],
  linkTells: (name) =>
    `Continúe solo si usted lo acaba de pedir. ${name} sabrá que usted tiene este teléfono, y nada más.`,
  linkShares: (name) =>
    `Continúe solo si usted lo acaba de pedir. ${name} recibirá entonces los datos sobre usted que aceptó dar allí.`,
  linkLeadsOn: (name) =>
    `Continúe solo si usted lo acaba de pedir. Después verá qué datos pide ${name} y decidirá si los comparte.`,
  over: {
    title: "Este enlace ya no sirve",
    text: "Ya se usó, lo reemplazó un mensaje más nuevo o pasaron sus cinco minutos. Pida un mensaje nuevo donde empezó.",
  },
  denied: { title: "Gracias", text: "No se verificó nada y no se enviarán más mensajes por esto." },
  verified: { title: "Su teléfono está verificado", text: "Puede volver a donde estaba." },
};

export const words: Record<Language, typeof en> = { en, es };
