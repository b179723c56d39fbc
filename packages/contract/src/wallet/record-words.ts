/** Words for what the service stores about a person. The account page and the printable page of all data share them. */
import { type ConsentLanguage, consentPlain, consentTexts, languageOfText } from "./consent.ts";
import { inLine, inSentence, valueName } from "./names.ts";

const en = {
  canRead: "Has access",
  cannotRead: "No access",
  stopped: "Stopped by you",
  reads: (count: number) => (count === 1 ? "Read once" : `Read ${count} times`),
  lastOn: (day: string) => `Last activity ${day}`,
  brandsTitle: "Who has your data",
  noBrands: "No one yet. Companies that you share with appear here.",
  cardsTitle: "Issued to you",
  noCards: "No company has issued you a card.",
  issuedBy: (brand: string, day: string) => `Issued by ${brand} on ${day}`,
  toEmail: "to your email address",
  expiresOn: (day: string) => `valid until ${day}`,
  expiredOn: (day: string) => `expired ${day}`,
  status: { valid: "Valid", revoked: "Revoked", expired: "Expired" },
  canReadUntil: (what: string, time: string) => `Can read ${what} until ${time}`,
  sharedAt: (brand: string, time: string, until: string) =>
    `You shared this on ${time}. ${brand} can read it until ${until}.`,
  timelineTitle: "Activity",
  showAll: (count: number) => `Show all (${count})`,
  showMore: "Show more",
  noTimeline: "No activity yet.",
  readTimes: (brand: string, count: number) => `${brand} read your data ${count} times`,
  textSeen: "The text you saw",
  /** A consent text that the company says it showed. The service did not show it. */
  textStated: "The company’s text",
  /** The button that the person pressed, after the text that they saw. */
  chosen: (button: string) => `You chose “${button}.”`,
  wordsVersion: (version: string, language: string) => `Text version ${version}, ${language}`,
  languages: {
    en: "English",
    es: "Spanish",
    "und-t-en": "English, translated by your browser",
    "und-t-es": "Spanish, translated by your browser",
  },
  brandStated: (brand: string, version: string) =>
    `${brand === "" ? "The company" : brand} says you agreed to this (its terms, version ${version}).`,
  showTimes: "Show times",
  devicesTitle: "Where you’re signed in",
  thisDevice: "This device",
  unknownDevice: "Unknown device",
  since: (time: string) => `Signed in ${time}`,
  method: {
    credit_bureau: "From a credit bureau",
    data_bureau: "From a data bureau",
    phone_carrier: "From your carrier",
    otp: "Verified with a code",
    customer_otp: "Verified by the company",
    self_attested: "Entered by you",
    government_id: "Your state ID",
  },
  issued: "Issued to you by a company",
  /** Instead of `method.government_id`, if the state is known. */
  stateId: (state: string) => `Your ${state} ID`,
  partlyEntered: (rest: string) => `Partly entered by you; the rest ${rest}`,
  /** What a brand gets even if the person declines. */
  declinedStill: {
    nothing: (brand: string) => `${brand} got none of your details.`,
    phone: (brand: string) => `${brand} still got your phone number.`,
    phoneAndRisk: (brand: string) => `${brand} still got your phone number and a fraud-risk rating for it.`,
  },
  /** Why a brand can still read data after a decline: the person shared it earlier. */
  declinedEarlier: (brand: string) => `${brand} can still read what you shared before. To end that, stop sharing.`,
  events: {
    "oneClick.shown": (brand: string) => `Your details were shown for review on ${brand}’s page`,
    "oneClick.released": (brand: string) => `${brand} received your data`,
    "oneClick.read": (brand: string) => `${brand} read your data`,
    "oneClick.declined": (brand: string) => `You chose not to share with ${brand}`,
    "oneClick.refused": (brand: string) => `${brand} asked for your data and got nothing`,
    "verification.verified": (brand: string) => `Your phone was verified for ${brand}`,
    "verification.denied": (brand: string) => `You said you didn’t ask for a text from ${brand}`,
    "credential.issued": (brand: string) => `${brand} issued you a card`,
    "credential.read": (brand: string) => `${brand} read the card it issued`,
    "credential.changed": (brand: string) => `${brand} changed the card it issued`,
    "health.requested": (brand: string) => `${brand} asked for your health insurance`,
    "health.released": (brand: string) => `${brand} received your health insurance`,
    "health.ended": (brand: string) => `${brand} asked for your health insurance and got no plan`,
    "health.read": (brand: string) => `${brand} read your health insurance`,
    "account.signedIn": () => "You signed in",
    "account.corrected": (brand: string) => `You corrected what ${brand} can read`,
    "account.downloaded": () => "You viewed or downloaded everything",
    "account.withdrawn": (brand: string) => `You stopped sharing with ${brand}`,
    "account.tookOut": () => "You added a detail to a wallet app",
    "account.allowedWallet": () => "You let a wallet app add a detail",
    "account.withdrewCredential": () => "You withdrew a detail from a wallet app",
    "account.handedOver": () => "You said that you’re new to this number",
  } satisfies Sentences,
  /** Replaces the sentence of an event that the person caused on our own screen. */
  byYou: {
    "oneClick.released": (brand: string) => `You shared with ${brand}`,
    "health.released": (brand: string) => `You shared your health insurance with ${brand}`,
  } satisfies Sentences,
};
type Sentences = Readonly<Record<string, (brand: string) => string>>;
export type RecordWords = typeof en;

const es: RecordWords = {
  canRead: "Tiene acceso",
  cannotRead: "Sin acceso",
  stopped: "Usted dejó de compartir",
  reads: (count) => (count === 1 ? "Leyó sus datos una vez" : `Leyó sus datos ${count} veces`),
  lastOn: (day) => `Última actividad: ${day}`,
  brandsTitle: "Quién tiene sus datos",
  noBrands: "Nadie todavía. Aquí aparecerán las empresas con las que comparta datos.",
  cardsTitle: "Emitido a su nombre",
  noCards: "Ninguna empresa ha emitido una tarjeta a su nombre.",
  issuedBy: (brand, day) => `Emitida por ${brand} el ${day}`,
  toEmail: "a su correo electrónico",
  expiresOn: (day) => `válida hasta el ${day}`,
  expiredOn: (day) => `venció el ${day}`,
  status: { valid: "Válida", revoked: "Revocada", expired: "Vencida" },
  canReadUntil: (what, time) => `Puede leer ${what} hasta ${time}`,
  sharedAt: (brand, time, until) => `Lo compartió el ${time} ${brand} puede leerlo hasta ${until}`,
  timelineTitle: "Actividad",
  showAll: (count) => `Mostrar todo (${count})`,
  showMore: "Mostrar más",
  noTimeline: "Sin actividad todavía.",
  readTimes: (brand, count) => `${brand} leyó sus datos ${count} veces`,
  textSeen: "El texto que vio",
  textStated: "El texto de la empresa",
  chosen: (button) => `Usted eligió “${button}”.`,
  wordsVersion: (version, language) => `Versión del texto ${version}, ${language}`,
  languages: {
    en: "inglés",
    es: "español",
    "und-t-en": "inglés, traducido por su navegador",
    "und-t-es": "español, traducido por su navegador",
  },
  brandStated: (brand, version) =>
    `${brand === "" ? "La empresa" : brand} dice que usted aceptó esto (sus condiciones, versión ${version}).`,
  showTimes: "Mostrar las horas",
  devicesTitle: "Dispositivos con sesión abierta",
  thisDevice: "Este dispositivo",
  unknownDevice: "Dispositivo desconocido",
  since: (time) => `Sesión iniciada: ${time}`,
  method: {
    credit_bureau: "De un buró de crédito",
    data_bureau: "De una agencia de datos",
    phone_carrier: "De su operador",
    otp: "Verificado con un código",
    customer_otp: "Verificado por la empresa",
    self_attested: "Ingresado por usted",
    government_id: "Su identificación estatal",
  },
  issued: "Emitido a su nombre por una empresa",
  stateId: (state) => `Su identificación de ${state}`,
  partlyEntered: (rest) => `En parte ingresado por usted; el resto, ${rest}`,
  declinedStill: {
    nothing: (brand) => `${brand} no recibió ninguno de sus datos.`,
    phone: (brand) => `De todos modos, ${brand} recibió su número de teléfono.`,
    phoneAndRisk: (brand) =>
      `De todos modos, ${brand} recibió su número de teléfono y una calificación del riesgo de fraude de ese número.`,
  },
  declinedEarlier: (brand) =>
    `${brand} todavía puede leer lo que usted compartió antes. Para evitarlo, deje de compartir.`,
  events: {
    "oneClick.shown": (brand) => `Sus datos se mostraron en la página de ${brand} para que usted los revisara`,
    "oneClick.released": (brand) => `${brand} recibió sus datos`,
    "oneClick.read": (brand) => `${brand} leyó sus datos`,
    "oneClick.declined": (brand) => `Usted eligió no compartir con ${brand}`,
    "oneClick.refused": (brand) => `${brand} pidió sus datos y no recibió nada`,
    "verification.verified": (brand) => `Su teléfono se verificó para ${brand}`,
    "verification.denied": (brand) => `Usted dijo que no pidió un mensaje de ${brand}`,
    "credential.issued": (brand) => `${brand} emitió una tarjeta a su nombre`,
    "credential.read": (brand) => `${brand} leyó la tarjeta que emitió`,
    "credential.changed": (brand) => `${brand} cambió la tarjeta que emitió`,
    "health.requested": (brand) => `${brand} pidió su seguro médico`,
    "health.released": (brand) => `${brand} recibió su seguro médico`,
    "health.ended": (brand) => `${brand} pidió su seguro médico y no recibió ningún plan`,
    "health.read": (brand) => `${brand} leyó su seguro médico`,
    "account.signedIn": () => "Usted inició sesión",
    "account.corrected": (brand) => `Usted corrigió lo que ${brand} puede leer`,
    "account.downloaded": () => "Usted vio o descargó todo",
    "account.withdrawn": (brand) => `Usted dejó de compartir con ${brand}`,
    "account.tookOut": () => "Usted guardó un dato en una billetera digital",
    "account.allowedWallet": () => "Usted permitió que una billetera digital guarde un dato",
    "account.withdrewCredential": () => "Usted retiró un dato de una billetera digital",
    "account.handedOver": () => "Usted dijo que este número antes era de otra persona",
  },
  byYou: {
    "oneClick.released": (brand) => `Usted compartió datos con ${brand}`,
    "health.released": (brand) => `Usted compartió su seguro médico con ${brand}`,
  },
};

export const recordWords: Readonly<Record<ConsentLanguage, RecordWords>> = { en, es };

type Event = { action: string; brand?: { name: string } | undefined; consent?: { source: string } | undefined };

/** An entry of the record of reads as a sentence. */
export function eventText({ events, byYou }: RecordWords, { action, brand, consent }: Event): string {
  const own: Sentences = byYou;
  const sentences: Sentences = consent?.source === "wallet" && Object.hasOwn(own, action) ? own : events;
  return sentenceOf(sentences, action, brand?.name);
}

/** An audit action as a sentence. An unknown action is returned unchanged. */
export function sentenceOf(sentences: Sentences, action: string, brand = ""): string {
  return sentences[action]?.(brand) ?? action;
}

type Sourced = {
  verificationMethod: keyof RecordWords["method"] | null;
  state?: string | undefined;
  values: readonly { key: string }[];
  typed: readonly string[];
};

/** Where the values of a credential come from. */
export function sourceText({ verificationMethod, state, values, typed }: Sourced, language: ConsentLanguage): string {
  const { method, issued, partlyEntered, stateId } = recordWords[language];
  const isTyped = values.map(({ key }) => typed.includes(key));
  if (isTyped.every(Boolean)) return isTyped.includes(true) ? method.self_attested : "";
  // Only what a company issued has no method.
  if (verificationMethod === null) return isTyped.includes(true) ? method.self_attested : issued;
  const isId = verificationMethod === "government_id" && state !== undefined;
  const source = isId ? stateId(state) : method[verificationMethod];
  return isTyped.includes(true) ? partlyEntered(inSentence(source)) : source;
}

type Act = { action: string; brand?: { uuid: string } | null | undefined; types: readonly string[] };

/** Number of entries of a list that are shown before the person asks for all. */
export const shownFirst = 5;

/** A stored text in the pieces that the screen showed: paragraphs, and the button's label if there was one. */
export function piecesOf(
  { words, version, language }: { words: string; version: string; language?: string | null | undefined },
  brand = "",
): { paragraphs: string[]; button?: string } {
  const shown = languageOfText(language ?? "") === "es" ? "es" : "en";
  for (const text of Object.values(consentTexts)) {
    if (text.version !== version) continue;
    const pieces = Object.entries(text[shown]).map(([name, piece]) => [name, consentPlain(piece, brand)] as const);
    if (pieces.map(([, piece]) => piece).join(" ") !== words) continue;
    const paragraphs = pieces.flatMap(([name, piece]) => (name === "button" ? [] : [piece]));
    const button = pieces.find(([name]) => name === "button")?.[1];
    return { paragraphs, ...(button === undefined ? {} : { button }) };
  }
  return { paragraphs: [words] };
}

/** Groups consecutive reads of the same data by one brand. Every other entry is a group of its own. */
export function groupedReads<Entry extends Act>(entries: readonly Entry[]): Entry[][] {
  const keyOf = ({ action, brand, types }: Act) => [action, brand?.uuid, ...types].join();
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    const isRepeat = entry.action === "oneClick.read" && first !== undefined && keyOf(first) === keyOf(entry);
    if (isRepeat) group?.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** The names of credential types, in one line. */
export function typeNames(types: readonly string[], language: ConsentLanguage): string {
  const named = types.map((type) => {
    const bare = type.replace(/Credential$/, "");
    return valueName(bare.charAt(0).toLowerCase() + bare.slice(1), bare.replace(/([a-z])([A-Z])/g, "$1 $2"), language);
  });
  return inLine(named);
}

/** Credentials whose parts are shown on one line. */
const lines: readonly string[] = ["fullName", "address", "annualIncome"];
type Part = { key: string; title: string; text: string };

/** The rows of a credential: one row for each part, or one row in all for a name, an address, or a single value. */
export function rowsOf(
  credential: { key?: string; title: string; values: readonly Part[] },
  language: ConsentLanguage,
): Part[] {
  const { title, values } = credential;
  const key = credential.key ?? (values.some((part) => part.key === "line1") ? "address" : values[0]?.key) ?? "";
  const isLine = values.length === 1 || lines.includes(key);
  if (!isLine) return values.map((part) => ({ ...part, title: valueName(part.key, part.title, language) }));
  return [{ key, title: valueName(key, title, language), text: lineText(key, values) }];
}

function lineText(key: string, values: readonly Part[]): string {
  const hidden = values.find(({ text }) => text.includes("•"));
  if (hidden !== undefined) return hidden.text;
  const texts = values.map(({ text }) => text);
  if (key !== "address") return texts.join(" ");
  const of = (name: string) => values.find((part) => part.key === name)?.text ?? "";
  const country = of("country") === "US" ? "" : of("country");
  const region = `${of("state")} ${of("zipCode")}`.trim();
  return [of("line1"), of("line2"), of("city"), region, country].filter((text) => text !== "").join(", ");
}

/** A value in the notation that people use: (212) 555-0010, 000-45-6789, August 1, 1989. */
export function valueText(key: string, text: string, language: ConsentLanguage): string {
  if (key === "phone") return text.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1)\u00a0$2-$3");
  if (key === "ssn") return text.replace(/^(\d{3})(\d{2})(\d{4})$/, "$1-$2-$3");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  return new Date(text).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
}
