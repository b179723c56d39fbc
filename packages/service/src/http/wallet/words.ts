/** The words of pages without a script. The words of the applications are in `packages/web`. */
import type { ComponentChild, ComponentChildren } from "preact";

export type Language = "en" | "es";

const en = {
  product: "Countersign",
  otherLanguage: "Español",
  what: "What is Countersign?",
  whatText: [
    "Countersign finds your details, so that you don’t have to type them.",
    "A company asks for them, and you decide whether it gets them.",
    "It can read them for a limited time, and only until you stop it.",
    "You can see at any time who has read what.",
  ],
  testNote: "Test environment: don’t enter real data",
  terms: "Terms",
  privacy: "Privacy",
  noScriptTitle: "This page needs JavaScript",
  noScript: "Turn on JavaScript and load this page again, or open the link in another browser.",
  proceed: "Continue",
  deny: "I didn’t ask for this",
  linkTitle: (name: string) => `Verify your phone for ${name}`,
  justNow: "just now",
  website: "Website",
  sent: "Sent",
  phone: "Phone",
  linkAsks: (name: ComponentChild): ComponentChildren => [
    name,
    " sent you this link. Continue only if you asked for it.",
  ],
  linkTells: (name: string) => `If you continue, ${name} learns that this phone is yours.`,
  linkReads: (name: string) =>
    `If you continue, ${name} learns that this phone is yours. It can then get the details that you agreed to share.`,
  linkShares: (name: string) => `If you continue, ${name} gets the details that you agreed to share.`,
  linkLeadsOn: (name: string) => `Next, you’ll see what ${name} asks for and decide whether to share it.`,
  renamed: "The company changed its name. Check it before you continue.",
  changedSince: "This changed while it was open. Please check it again.",
  over: {
    title: "This link has expired or was already used",
    text: "Links work once, for five minutes. Go back to the website or app where you started to get a new one.",
  },
  denied: {
    title: "Thanks for letting us know",
    text: "Nothing was verified, and we won’t send more texts about this.",
  },
  verified: {
    title: "Your phone is verified",
    text: "You can close this page and go back to the website or app where you started.",
  },
  ownPage: "Manage what you share",
  notFound: {
    title: "We can’t find this page",
    text: "The address may be mistyped or incomplete. If it came in a text message, open the link in the message again.",
  },
  busy: { title: "Too many requests", text: "Wait a minute, then load this page again." },
  broken: { title: "Something went wrong", text: "This is our fault, not yours. Load this page again in a moment." },
  frameAlone: {
    title: "This page is part of a sign-up form",
    text: "It only works inside a company’s website. Go back to the website where you wanted to sign up.",
  },
};

const es: typeof en = {
  product: "Countersign",
  otherLanguage: "English",
  what: "¿Qué es Countersign?",
  whatText: [
    "Countersign encuentra sus datos para que usted no tenga que escribirlos.",
    "Una empresa los pide y usted decide si los recibe.",
    "La empresa puede leerlos por un tiempo limitado, y solo hasta que usted lo impida.",
    "Usted puede ver en cualquier momento quién ha leído qué.",
  ],
  testNote: "Entorno de prueba: no ingrese datos reales",
  terms: "Condiciones",
  privacy: "Privacidad",
  noScriptTitle: "Esta página necesita JavaScript",
  noScript: "Active JavaScript y vuelva a cargar esta página, o abra el enlace en otro navegador.",
  proceed: "Continuar",
  deny: "Yo no pedí esto",
  linkTitle: (name) => `Verifique su teléfono para ${name}`,
  justNow: "hace un momento",
  website: "Sitio web",
  sent: "Enviado",
  phone: "Teléfono",
  linkAsks: (name) => [name, " le envió este enlace. Continúe solo si usted lo pidió."],
  linkTells: (name) => `Si continúa, ${name} sabrá que este teléfono es suyo.`,
  linkReads: (name) =>
    `Si continúa, ${name} sabrá que este teléfono es suyo. Después podrá obtener los datos que usted aceptó compartir.`,
  linkShares: (name) => `Si continúa, ${name} recibirá los datos que usted aceptó compartir.`,
  linkLeadsOn: (name) => `Después verá qué datos pide ${name} y decidirá si los comparte.`,
  renamed: "La empresa cambió de nombre. Revíselo antes de continuar.",
  changedSince: "Esto cambió mientras estaba abierto. Revíselo de nuevo.",
  over: {
    title: "Este enlace venció o ya se usó",
    text: "Los enlaces funcionan una vez, durante cinco minutos. Vuelva al sitio o a la aplicación donde empezó para recibir uno nuevo.",
  },
  denied: {
    title: "Gracias por avisarnos",
    text: "No se verificó nada y no enviaremos más mensajes sobre esto.",
  },
  verified: {
    title: "Su teléfono está verificado",
    text: "Puede cerrar esta página y volver al sitio o a la aplicación donde empezó.",
  },
  ownPage: "Administrar lo que comparte",
  notFound: {
    title: "No encontramos esta página",
    text: "La dirección puede estar mal escrita o incompleta. Si le llegó en un mensaje de texto, abra de nuevo el enlace del mensaje.",
  },
  busy: { title: "Demasiadas solicitudes", text: "Espere un minuto y vuelva a cargar esta página." },
  broken: { title: "Algo salió mal", text: "El error es nuestro, no suyo. Vuelva a cargar esta página en un momento." },
  frameAlone: {
    title: "Esta página es parte de un formulario de registro",
    text: "Solo funciona dentro del sitio web de una empresa. Vuelva al sitio donde quería registrarse.",
  },
};

export const words: Record<Language, typeof en> = { en, es };
