import type { Language } from "./words.ts";

/** Words of the printable page only. It shares all others with the account page (`record-words`). */
const en = {
  title: "Everything we keep about you",
  back: "Back to your data",
  contents: "On this page",
  intro:
    "This page shows the same data as your download, without the signed receipts. After you verify your phone for a company, we look up your details with outside sources. We erase what they give us about an hour later.",
  phone: "Phone",
  since: "First activity",
  made: "Page created",
  zone: "Times are in UTC.",
  localZone: "Times are in your time zone, {zone}.",
  taken: "In your wallet apps",
  noTaken: "Nothing yet.",
  takenOn: (day: string, until: string) => `Added ${day} · valid until ${until}`,
  takenStates: { valid: "Valid", withdrawn: "Withdrawn by you", revoked: "Revoked by the issuer" },
  shares: "What companies can read now",
  noShares: "Nothing right now.",
  insurance: "Health insurance",
  noInsurance: "None.",
  memberId: "Member ID",
  foundFor: (brand: string, time: string) => `Found for ${brand} on ${time}`,
  decided: {
    prove: (brand: string) => `You agreed to verify your phone${brand === "" ? "" : ` for ${brand}`}`,
    share: (brand: string) => `You shared with ${brand}`,
    decline: (brand: string) => `You chose not to share with ${brand}`,
    withdraw: (brand: string) => `You stopped sharing with ${brand}`,
    correct: (brand: string) => `You corrected what ${brand} can read`,
    handOver: () => "You said that you’re new to this number",
    addToWallet: () => "You let a wallet app add a detail",
    delete: () => "You reset this test person",
  },
  reported: {
    prove: (brand: string) => `${brand} reported that you agreed to verify your phone`,
    share: (brand: string) => `${brand} reported that you agreed to share your data`,
    issue: (brand: string) => `${brand} reported that you agreed to get a card`,
  },
};

const es: typeof en = {
  title: "Todo lo que guardamos sobre usted",
  back: "Volver a sus datos",
  contents: "En esta página",
  intro:
    "Esta página muestra los mismos datos que su descarga, sin los recibos firmados. Cuando usted verifica su teléfono para una empresa, consultamos sus datos en otras fuentes. Borramos lo que nos dan alrededor de una hora después.",
  phone: "Teléfono",
  since: "Primera actividad",
  made: "Página creada",
  zone: "Las horas están en UTC.",
  localZone: "Las horas están en su zona horaria, {zone}.",
  taken: "En sus billeteras",
  noTaken: "Nada todavía.",
  takenOn: (day, until) => `Guardado el ${day} · válido hasta el ${until}`,
  takenStates: { valid: "Válida", withdrawn: "Retirada por usted", revoked: "Revocada por el emisor" },
  shares: "Lo que las empresas pueden leer ahora",
  noShares: "Nada en este momento.",
  insurance: "Seguro médico",
  noInsurance: "Ninguno.",
  memberId: "Número de miembro",
  foundFor: (brand, time) => `Encontrado para ${brand} el ${time}`,
  decided: {
    prove: (brand) => `Usted aceptó verificar su teléfono${brand === "" ? "" : ` para ${brand}`}`,
    share: (brand) => `Usted compartió con ${brand}`,
    decline: (brand) => `Usted eligió no compartir con ${brand}`,
    withdraw: (brand) => `Usted dejó de compartir con ${brand}`,
    correct: (brand) => `Usted corrigió lo que ${brand} puede leer`,
    handOver: () => "Usted dijo que este número antes era de otra persona",
    addToWallet: () => "Usted permitió que una billetera digital guarde un dato",
    delete: () => "Usted restableció esta persona de prueba",
  },
  reported: {
    prove: (brand) => `${brand} informó que usted aceptó verificar su teléfono`,
    share: (brand) => `${brand} informó que usted aceptó compartir sus datos`,
    issue: (brand) => `${brand} informó que usted aceptó recibir una tarjeta`,
  },
};

export const everythingWords: Record<Language, typeof en> = { en, es };
