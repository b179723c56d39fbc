/**
 * The texts that people agree to. The wallet's screens and the service both use this file: the browser sends only a
 * version and a language.
 *
 * `{brand}` is the brand's name; `{details}` names what is shared; `[words](terms)` and `[words](privacy)` are links. A text is one or several pieces, in
 * the order on the screen; the record joins them with spaces. A changed text needs a new version, because records name
 * the version and keep the words.
 */
import { valueInSentence } from "./names.ts";

export type ConsentLanguage = "en" | "es";
type Pieces = Readonly<Record<string, string>>;
type Versioned = { version: string; en: Pieces; es: Pieces };
/** The text that a screen showed. */
export type ConsentShown = { version: string; language: ConsentLanguage; translated?: boolean };

/**
 * The language of a record: that of our text, or, if the browser showed a translation of it, the tag for a text that was
 * translated from it (RFC 6497). We cannot know which words the person read then.
 */
export function recordedLanguage({ language, translated }: ConsentShown): string {
  return translated === true ? `${translatedFrom}${language}` : language;
}

const translatedFrom = "und-t-";

/** The language of our text in a record. */
export function languageOfText(recorded: string): string {
  return recorded.startsWith(translatedFrom) ? recorded.slice(translatedFrom.length) : recorded;
}

/**
 * Texts below the phone field in a brand's frame, or for a phone that the brand passes. The data that the brand
 * requests selects the text. Each says "By entering your number", because a complete number is sent automatically.
 */
export const proving = {
  proveVerify: {
    version: "2026-11-25",
    en: {
      text: "By entering your number, you agree to the [Terms of use](terms) and to get a text that verifies your phone for {brand}. Message and data rates may apply.",
    },
    es: {
      text: "Al ingresar su número, usted acepta las [Condiciones de uso](terms) y acepta recibir un mensaje de texto que verifica su teléfono para {brand}. Pueden aplicarse tarifas de mensajes y datos.",
    },
  },
  proveKnown: known("your details", "sus datos"),
  proveKnownSsn: known("your details and SSN", "sus datos y su número de Seguro Social"),
  proveKnownHealth: known("your details and health insurance", "sus datos y su seguro médico"),
  proveKnownSsnAndHealth: known(
    "your details, SSN, and health insurance",
    "sus datos, su número de Seguro Social y su seguro médico",
  ),
  proveData: typed("your details", "sus datos"),
  proveSsn: typed("your details and SSN", "sus datos y su número de Seguro Social"),
  proveHealth: typed("your details and health insurance", "sus datos y su seguro médico"),
  proveSsnAndHealth: typed(
    "your details, SSN, and health insurance",
    "sus datos, su número de Seguro Social y su seguro médico",
  ),
} satisfies Record<string, Versioned>;

/** The brand passed the phone, so no text message is sent. */
function known(what: string, inSpanish: string) {
  return {
    version: "2026-11-25",
    en: {
      text: `By continuing, you confirm that this phone is yours and agree to the [Terms of use](terms). We’ll look up ${what} to create your account at {brand} with 1-Click Signup.`,
    },
    es: {
      text: `Al continuar, usted confirma que este teléfono es suyo y acepta las [Condiciones de uso](terms). Buscaremos ${inSpanish} para crear su cuenta en {brand} con 1-Click Signup.`,
    },
  };
}

/** The person enters the phone. */
function typed(what: string, inSpanish: string) {
  return {
    version: "2026-11-25",
    en: {
      text: `By entering your number, you agree to the [Terms of use](terms) and to get a text to create your account at {brand} and other supported sites with 1-Click Signup. We’ll look up ${what}. Message and data rates may apply.`,
    },
    es: {
      text: `Al ingresar su número, usted acepta las [Condiciones de uso](terms) y acepta recibir un mensaje de texto para crear su cuenta en {brand} y otros sitios compatibles con 1-Click Signup. Buscaremos ${inSpanish}. Pueden aplicarse tarifas de mensajes y datos.`,
    },
  };
}

/** Texts on the screens where a person decides which data a brand gets. */
const deciding = {
  share: {
    version: "2026-11-29",
    en: {
      text: "By choosing Share, you direct Countersign to give {brand} {details}, and agree to the [Terms of use](terms) and [Privacy policy](privacy).",
    },
    es: {
      text: "Al elegir Compartir, usted autoriza a Countersign a entregar a {brand} {details}, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy).",
    },
  },
  decline: {
    version: "2026-11-24",
    en: { button: "Don’t share" },
    es: { button: "No compartir" },
  },
  /** Used to decline before any data was found, such as on the question for the birthday. */
  leave: {
    version: "2026-11",
    en: { button: "Continue without autofill" },
    es: { button: "Continuar sin autocompletar" },
  },
  insurance: {
    version: "2026-11-25",
    en: {
      text: "By choosing Share, you confirm that this insurance is yours, direct Countersign to give it to {brand}, and agree to the [Terms of use](terms) and [Privacy policy](privacy).",
    },
    es: {
      text: "Al elegir Compartir, usted confirma que este seguro es suyo, autoriza a Countersign a entregarlo a {brand} y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy).",
    },
  },
} satisfies Record<string, Versioned>;

/** Texts on the person's own page. */
const own = {
  signIn: {
    version: "2026-11-25",
    en: {
      text: "By choosing Continue, you agree to the [Terms of use](terms) and [Privacy policy](privacy), and to get a text with a sign-in code. Message and data rates may apply.",
    },
    es: {
      text: "Al elegir Continuar, usted acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy), y acepta recibir un mensaje de texto con un código para iniciar sesión. Pueden aplicarse tarifas de mensajes y datos.",
    },
  },
  stop: {
    version: "2026-11-24",
    en: {
      text: "Once you stop, {brand} can’t read your data, and anything not yet delivered isn’t sent. It may have kept earlier copies. Ask {brand} to delete them.",
      button: "Stop sharing",
    },
    es: {
      text: "Cuando deje de compartir, {brand} ya no podrá leer sus datos, y no se enviará lo que aún no se entregó. Puede haber guardado copias anteriores. Pídale a {brand} que las borre.",
      button: "Dejar de compartir",
    },
  },
  /** Each text after the warning begins with its label. */
  delete: {
    version: "2026-12-02",
    en: {
      warning: "This can’t be undone.",
      text: "Deleted: what you shared, cards issued to your number, insurance, and texts, and anything not yet delivered. After that, not even we can read it.",
      elsewhere:
        "Kept by companies: any copies of what they read, and cards issued only to your email address. Ask them to delete those.",
      kept: "Kept five years: proof of what you decided, with which company, when, and the text you saw. It has your phone number in coded form and none of your data.",
      button: "Delete everything",
    },
    es: {
      warning: "No se puede deshacer.",
      text: "Se borra: lo que compartió, las tarjetas emitidas a su número, su seguro, los mensajes y lo que aún no se entregó. Después, ni siquiera nosotros podremos leerlo.",
      elsewhere:
        "Queda en las empresas: toda copia de lo que leyeron y toda tarjeta emitida solo a su correo electrónico. Pídales que las borren.",
      kept: "Queda cinco años: la prueba de qué decidió, con qué empresa, cuándo y el texto que vio. Contiene su número en forma codificada y ninguno de sus datos.",
      button: "Borrar todo",
    },
  },
  reset: {
    version: "2026-11-23",
    en: {
      text: "Everyone tests with this person of the sandbox. A reset removes everything that the demo brands have about them.",
      button: "Reset",
    },
    es: {
      text: "Todos hacen pruebas con esta persona del entorno de pruebas. Al restablecerla se borra todo lo que las marcas de demostración tienen de ella.",
      button: "Restablecer",
    },
  },
  /** `{brand}`: the wallet app, by the name that `walletNameOf` returns. */
  addToWallet: {
    version: "2026-11-24",
    en: {
      tells: "Your details go to",
      wallet: "{brand}",
      warning: "Continue only if you know this wallet app and opened it yourself.",
      button: "Add",
    },
    es: {
      tells: "Sus datos van a",
      wallet: "{brand}",
      warning: "Continúe solo si conoce esta billetera y usted mismo la abrió.",
      button: "Guardar",
    },
  },
  handOver: {
    version: "2026-11-24",
    en: {
      title: "I’m new to this number",
      text: "Phone numbers change hands. If the data you see here isn’t yours, start fresh. No one who holds this number will see that data again, including you.",
      warning: "If it is yours, don’t do this. It can’t be undone.",
      button: "Start fresh",
    },
    es: {
      title: "Este número antes era de otra persona",
      text: "Los números de teléfono cambian de dueño. Si los datos que ve aquí no son suyos, empiece de cero. Nadie que tenga este número volverá a ver esos datos, ni siquiera usted.",
      warning: "Si son suyos, no lo haga. No se puede deshacer.",
      button: "Empezar de cero",
    },
  },
} satisfies Record<string, Versioned>;

export const consentTexts = { ...proving, ...deciding, ...own };
export type ConsentKind = keyof typeof consentTexts;

/** The kinds of data a brand requests, as named in the text below the phone field. */
export type AsksFor = { data: boolean; ssn: boolean; health: boolean };

export type ProvingKind = keyof typeof proving;
export const provingKinds: readonly ProvingKind[] = [
  "proveVerify",
  "proveData",
  "proveSsn",
  "proveHealth",
  "proveSsnAndHealth",
  "proveKnown",
  "proveKnownSsn",
  "proveKnownHealth",
  "proveKnownSsnAndHealth",
];

/** The text below the phone field. `known`: no text message is sent, because the brand already knows the phone. */
export function provingText({ known, asksFor }: { known: boolean; asksFor: AsksFor }): ProvingKind {
  const { data, ssn, health } = asksFor;
  if (known && ssn && health) return "proveKnownSsnAndHealth";
  if (known) return ssn ? "proveKnownSsn" : health ? "proveKnownHealth" : "proveKnown";
  if (!data) return "proveVerify";
  if (ssn && health) return "proveSsnAndHealth";
  return ssn ? "proveSsn" : health ? "proveHealth" : "proveData";
}

/** What a person shares, as `{details}` in a text. `hasId`: whether some of it comes from a state ID. */
export function sharedDetails(
  details: readonly { key: string; title: string }[],
  language: ConsentLanguage,
  { hasId }: { hasId: boolean } = { hasId: false },
): string {
  if (details.length === 0) return language === "en" ? "none of your details" : "ninguno de sus datos";
  const list = new Intl.ListFormat(language).format(new Set(details.map((one) => valueInSentence(one, language))));
  const named = `${language === "en" ? "your" : "estos datos:"} ${list}`;
  if (!hasId) return named;
  return `${named}${language === "en" ? ", partly from your state ID" : ", en parte de su identificación estatal"}`;
}

export type ConsentPart = { text: string; link?: "terms" | "privacy" };

/** A piece of text as a screen shows it, with its links. */
export function consentParts(piece: string, brand = "", details = ""): ConsentPart[] {
  // Each name stays as it is, even if it contains a placeholder.
  const named = (text: string) =>
    text.replace(/\{(brand|details)\}/g, (_, name) => (name === "brand" ? brand : details));
  const parts: ConsentPart[] = [];
  let end = 0;
  for (const { 0: whole, 1: text = "", 2: link, index } of piece.matchAll(/\[([^\]]+)\]\((terms|privacy)\)/g)) {
    parts.push({ text: piece.slice(end, index) });
    parts.push(link === "terms" ? { text, link } : { text, link: "privacy" });
    end = index + whole.length;
  }
  parts.push({ text: piece.slice(end) });
  return parts.map(({ text, ...rest }) => ({ text: named(text), ...rest }));
}

/** A piece as plain text. */
export function consentPlain(piece: string, brand?: string, details?: string): string {
  return consentParts(piece, brand, details)
    .map(({ text }) => text)
    .join("");
}

/** The text as the consent record stores it. Null for a version that is not the current one. */
export function consentWords(
  kind: ConsentKind,
  { version, language }: ConsentShown,
  brand?: string,
  details?: string,
): string | null {
  const text: Versioned = consentTexts[kind];
  if (text.version !== version) return null;
  return Object.values(text[language])
    .map((piece) => consentPlain(piece, brand, details))
    .join(" ");
}
