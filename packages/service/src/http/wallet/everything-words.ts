import type { Language } from "./words.ts";

const en = {
  title: "Everything that is held about you",
  intro:
    "This is the same as the file that you can download. Print it, or save it. Values that outside sources hold are looked up when you share, and gone an hour later.",
  phone: "Phone",
  since: "Known since",
  made: "Made on",
  brands: "Companies",
  reads: (count: number) => (count === 1 ? "read once" : `read ${count} times`),
  cards: "Cards issued to you",
  shares: "What companies can read now",
  until: "until",
  insurance: "Insurance",
  record: "The record",
  decisions: "Decisions",
  nothing: "Nothing.",
};

const es: typeof en = {
  title: "Todo lo que se guarda sobre usted",
  intro:
    "Es lo mismo que el archivo que puede descargar. Imprímalo o guárdelo. Los valores de otras fuentes se consultan cuando usted comparte y se borran una hora después.",
  phone: "Teléfono",
  since: "Conocido desde",
  made: "Hecho el",
  brands: "Empresas",
  reads: (count) => (count === 1 ? "leyó una vez" : `leyó ${count} veces`),
  cards: "Tarjetas emitidas a usted",
  shares: "Lo que las empresas pueden leer ahora",
  until: "hasta",
  insurance: "Seguro",
  record: "El registro",
  decisions: "Decisiones",
  nothing: "Nada.",
};

export const everythingWords: Record<Language, typeof en> = { en, es };
