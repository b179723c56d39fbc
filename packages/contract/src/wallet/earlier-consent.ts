/**
 * Former versions of the texts in `consent.ts`. Open pages still show them, and records name them. A name ends with the
 * date of its version.
 */
type Pieces = Readonly<Record<string, string>>;
export type Versioned = { version: string; en: Pieces; es: Pieces };

const shareOf202611 = {
  version: "2026-11",
  en: {
    text: "By choosing Share you direct Countersign to give the details on this page to {brand}, confirm that they are yours, agree to the [Terms of use](terms) and acknowledge the [Privacy policy](privacy).",
  },
  es: {
    text: "Al elegir Compartir, usted indica a Countersign que entregue a {brand} los datos de esta página, confirma que son suyos, acepta las [Condiciones de uso](terms) y reconoce la [Política de privacidad](privacy).",
  },
} satisfies Versioned;

const declineOf202611 = {
  version: "2026-11",
  en: { button: "Don't share" },
  es: { button: "No compartir" },
} satisfies Versioned;

const insuranceOf202611 = {
  version: "2026-11",
  en: {
    text: "By choosing Share you direct Countersign to give this insurance to {brand}, confirm that it is yours, agree to the [Terms of use](terms) and acknowledge the [Privacy policy](privacy).",
  },
  es: {
    text: "Al elegir Compartir, usted indica a Countersign que dé este seguro a {brand}, confirma que es suyo, acepta las [Condiciones de uso](terms) y reconoce la [Política de privacidad](privacy).",
  },
} satisfies Versioned;

const stopOf20261122 = {
  version: "2026-11-22",
  en: {
    text: "Once you stop, {brand} can read nothing more, and what was still to be delivered is not sent. What it read before stays with it: ask it to delete that.",
    button: "Stop sharing with {brand}",
  },
  es: {
    text: "Cuando deje de compartir, {brand} no podrá leer nada más, y no se enviará lo que aún faltaba entregar. Lo que leyó antes queda en su poder: pídale que lo borre.",
    button: "Dejar de compartir con {brand}",
  },
} satisfies Versioned;

const deleteOf20261122 = {
  version: "2026-11-22",
  en: {
    text: "This cannot be undone. It destroys the key under which your data is kept: shares, cards, insurance, texts and what was still to be delivered.",
    elsewhere: "What companies read before stays with them: ask them to delete it.",
    kept: "What stays, for five years: the evidence of what was decided, with which company, when and on which words. It names your phone number in a coded form and holds none of your data.",
    button: "Delete everything",
  },
  es: {
    text: "No se puede deshacer. Destruye la clave con la que se guardan sus datos: lo compartido, las tarjetas, el seguro, los mensajes y lo que faltaba entregar.",
    elsewhere: "Lo que las empresas leyeron antes queda en su poder: pídales que lo borren.",
    kept: "Lo que queda, por cinco años: la prueba de qué se decidió, con qué empresa, cuándo y con qué palabras. Nombra su número en forma codificada y no contiene ninguno de sus datos.",
    button: "Borrar todo",
  },
} satisfies Versioned;

const resetOf20261122 = {
  version: "2026-11-22",
  en: {
    text: "This is one of the sandbox's fixed people, whom everybody tests with: what the demo brands have of it is removed, and it begins anew.",
    button: "Reset",
  },
  es: {
    text: "Esta es una de las personas fijas del entorno de pruebas, con las que prueban todos: se quita lo que las marcas de demostración tienen de ella y empieza de nuevo.",
    button: "Restablecer",
  },
} satisfies Versioned;

const handOverOf20261122 = {
  version: "2026-11-22",
  en: {
    title: "This number is newly mine",
    text: "Phone numbers change hands. If what you see here is not yours, begin anew: nobody who holds this number from now on sees it again, you neither.",
    warning: "If it is yours, do not do this: it cannot be undone.",
    button: "Begin anew",
  },
  es: {
    title: "Este número es mío desde hace poco",
    text: "Los números de teléfono cambian de manos. Si lo que ve aquí no es suyo, empiece de nuevo: nadie que tenga este número lo volverá a ver, usted tampoco.",
    warning: "Si es suyo, no lo haga: no se puede deshacer.",
    button: "Empezar de nuevo",
  },
} satisfies Versioned;

const stopOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "Once you stop, {brand} can't read your data, and anything not yet delivered isn't sent. It may have kept earlier copies. Ask {brand} to delete them.",
    button: "Stop sharing with {brand}",
  },
  es: {
    text: "Cuando deje de compartir, {brand} ya no podrá leer sus datos, y no se enviará lo que aún no se entregó. Puede haber guardado copias anteriores. Pídale a {brand} que las borre.",
    button: "Dejar de compartir con {brand}",
  },
} satisfies Versioned;

const deleteOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "This can't be undone. It destroys the key that protects your data: what you shared, cards, insurance, texts, and anything not yet delivered.",
    elsewhere: "Companies may have kept copies of what they read. Ask them to delete those.",
    kept: "For five years, we keep proof of your decisions: what you decided, with which company, when, and the text you saw. It has your phone number in coded form and none of your data.",
    button: "Delete everything",
  },
  es: {
    text: "No se puede deshacer. Destruye la clave que protege sus datos: lo que compartió, las tarjetas, el seguro, los mensajes y lo que aún no se entregó.",
    elsewhere: "Las empresas pueden haber guardado copias de lo que leyeron. Pídales que las borren.",
    kept: "Durante cinco años guardamos la prueba de sus decisiones: qué decidió, con qué empresa, cuándo y el texto que vio. Contiene su número en forma codificada y ninguno de sus datos.",
    button: "Borrar todo",
  },
} satisfies Versioned;

const handOverOf20261123 = {
  version: "2026-11-23",
  en: {
    title: "I'm new to this number",
    text: "Phone numbers change hands. If the data you see here isn't yours, start fresh. No one who holds this number will see that data again, including you.",
    warning: "If it is yours, don't do this. It can't be undone.",
    button: "Start fresh",
  },
  es: {
    title: "Este número antes era de otra persona",
    text: "Los números de teléfono cambian de dueño. Si los datos que ve aquí no son suyos, empiece de cero. Nadie que tenga este número volverá a ver esos datos, ni siquiera usted.",
    warning: "Si son suyos, no lo haga. No se puede deshacer.",
    button: "Empezar de cero",
  },
} satisfies Versioned;

const proveVerifyOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By providing your phone number, you agree to get a text message to verify your phone for {brand}, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al proporcionar su número de teléfono, usted acepta recibir un mensaje de texto para verificar su teléfono para {brand}, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveVerifyOf202611 = {
  version: "2026-11",
  en: {
    text: "By continuing you agree to get a text message that verifies your phone for {brand}, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al continuar, usted acepta recibir un mensaje de texto que verifica su teléfono para {brand}, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveKnownSsnOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By continuing you confirm that this phone is yours, let {brand} create your account with 1-Click Signup, agree to have your details and your social security number looked up, and agree to the [Terms of use](terms) and the [Privacy policy](privacy).",
  },
  es: {
    text: "Al continuar, usted confirma que este teléfono es suyo, permite que {brand} cree su cuenta con 1-Click Signup, acepta que se busquen sus datos y su número de seguro social, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy).",
  },
} satisfies Versioned;

const proveKnownHealthOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By continuing you confirm that this phone is yours, let {brand} create your account with 1-Click Signup, agree to have your details and your health insurance looked up, and agree to the [Terms of use](terms) and the [Privacy policy](privacy).",
  },
  es: {
    text: "Al continuar, usted confirma que este teléfono es suyo, permite que {brand} cree su cuenta con 1-Click Signup, acepta que se busquen sus datos y su seguro médico, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy).",
  },
} satisfies Versioned;

const proveKnownSsnAndHealthOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By continuing you confirm that this phone is yours, let {brand} create your account with 1-Click Signup, agree to have your details, your social security number and your health insurance looked up, and agree to the [Terms of use](terms) and the [Privacy policy](privacy).",
  },
  es: {
    text: "Al continuar, usted confirma que este teléfono es suyo, permite que {brand} cree su cuenta con 1-Click Signup, acepta que se busquen sus datos, su número de seguro social y su seguro médico, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy).",
  },
} satisfies Versioned;

const proveDataOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By providing your phone number, you agree to get a text message to create your account at {brand} and other supported sites with 1-Click Signup, to have your details looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al proporcionar su número de teléfono, usted acepta recibir un mensaje de texto para crear su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveDataOf202611 = {
  version: "2026-11",
  en: {
    text: "By continuing you agree to get a text message that creates your account at {brand} and other supported sites with 1-Click Signup, to have your details looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al continuar, usted acepta recibir un mensaje de texto que crea su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveSsnOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By providing your phone number, you agree to get a text message to create your account at {brand} and other supported sites with 1-Click Signup, to have your details and your social security number looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al proporcionar su número de teléfono, usted acepta recibir un mensaje de texto para crear su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos y su número de seguro social, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveSsnOf202611 = {
  version: "2026-11",
  en: {
    text: "By continuing you agree to get a text message that creates your account at {brand} and other supported sites with 1-Click Signup, to have your details and your social security number looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al continuar, usted acepta recibir un mensaje de texto que crea su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos y su número de seguro social, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveHealthOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By providing your phone number, you agree to get a text message to create your account at {brand} and other supported sites with 1-Click Signup, to have your details and your health insurance looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al proporcionar su número de teléfono, usted acepta recibir un mensaje de texto para crear su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos y su seguro médico, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveHealthOf202611 = {
  version: "2026-11",
  en: {
    text: "By continuing you agree to get a text message that creates your account at {brand} and other supported sites with 1-Click Signup, to have your details and your health insurance looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al continuar, usted acepta recibir un mensaje de texto que crea su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos y su seguro médico, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveSsnAndHealthOf20261123 = {
  version: "2026-11-23",
  en: {
    text: "By providing your phone number, you agree to get a text message to create your account at {brand} and other supported sites with 1-Click Signup, to have your details, your social security number and your health insurance looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al proporcionar su número de teléfono, usted acepta recibir un mensaje de texto para crear su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos, su número de seguro social y su seguro médico, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const proveSsnAndHealthOf202611 = {
  version: "2026-11",
  en: {
    text: "By continuing you agree to get a text message that creates your account at {brand} and other supported sites with 1-Click Signup, to have your details, your social security number and your health insurance looked up, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  },
  es: {
    text: "Al continuar, usted acepta recibir un mensaje de texto que crea su cuenta en {brand} y en otros sitios compatibles con 1-Click Signup, que se busquen sus datos, su número de seguro social y su seguro médico, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
  },
} satisfies Versioned;

const knownPhoneOf202611 = {
  version: "2026-11",
  en: {
    text: "By continuing you confirm that this phone is yours, let {brand} create your account with 1-Click Signup, agree to have your details looked up, and agree to the [Terms of use](terms) and the [Privacy policy](privacy).",
  },
  es: {
    text: "Al continuar, usted confirma que este teléfono es suyo, permite que {brand} cree su cuenta con 1-Click Signup, acepta que se busquen sus datos y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy).",
  },
} satisfies Versioned;

const stopOf20261124 = {
  version: "2026-11-24",
  en: {
    text: "Once you stop, {brand} can’t read your data, and anything not yet delivered isn’t sent. It may have kept earlier copies. Ask {brand} to delete them.",
    button: "Stop sharing with {brand}",
  },
  es: {
    text: "Cuando deje de compartir, {brand} ya no podrá leer sus datos, y no se enviará lo que aún no se entregó. Puede haber guardado copias anteriores. Pídale a {brand} que las borre.",
    button: "Dejar de compartir con {brand}",
  },
} satisfies Versioned;

/** A text with a single piece. The `PURE` annotations let bundlers drop these texts from the screens' first load. */
const plain = (version: string, en: string, es: string): Versioned => ({ version, en: { text: en }, es: { text: es } });

const knownOf20261124 = (what: string, inSpanish: string) =>
  plain(
    "2026-11-24",
    `By continuing, you confirm that this phone is yours, and agree to have ${what} looked up to create your account at {brand} with 1-Click Signup, and to the [Terms of use](terms) and [Privacy policy](privacy).`,
    `Al continuar, usted confirma que este teléfono es suyo, acepta que se busquen ${inSpanish} para crear su cuenta en {brand} con 1-Click Signup, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy).`,
  );

const typedOf20261124 = (what: string, inSpanish: string) =>
  plain(
    "2026-11-24",
    `By providing your number, you agree to get a text message and to have ${what} looked up to create your account at {brand} and other supported sites with 1-Click Signup, and to the [Terms of use](terms) and [Privacy policy](privacy). Message and data rates may apply.`,
    `Al proporcionar su número, usted acepta recibir un mensaje de texto y que se busquen ${inSpanish} para crear su cuenta en {brand} y otros sitios compatibles con 1-Click Signup, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.`,
  );

const knownDataOf20261124 = /* @__PURE__ */ knownOf20261124("your details", "sus datos");
const knownSsnOf20261124 = /* @__PURE__ */ knownOf20261124(
  "your details and SSN",
  "sus datos y su número de Seguro Social",
);
const knownHealthOf20261124 = /* @__PURE__ */ knownOf20261124(
  "your details and health insurance",
  "sus datos y su seguro médico",
);
const knownSsnAndHealthOf20261124 = /* @__PURE__ */ knownOf20261124(
  "your details, SSN and health insurance",
  "sus datos, su número de Seguro Social y su seguro médico",
);
const typedDataOf20261124 = /* @__PURE__ */ typedOf20261124("your details", "sus datos");
const typedSsnOf20261124 = /* @__PURE__ */ typedOf20261124(
  "your details and SSN",
  "sus datos y su número de Seguro Social",
);
const typedHealthOf20261124 = /* @__PURE__ */ typedOf20261124(
  "your details and health insurance",
  "sus datos y su seguro médico",
);
const typedSsnAndHealthOf20261124 = /* @__PURE__ */ typedOf20261124(
  "your details, SSN and health insurance",
  "sus datos, su número de Seguro Social y su seguro médico",
);

const proveVerifyOf20261124 = /* @__PURE__ */ plain(
  "2026-11-24",
  "By providing your number, you agree to get a text message that verifies your phone for {brand}, and to the [Terms of use](terms) and [Privacy policy](privacy). Message and data rates may apply.",
  "Al proporcionar su número, usted acepta recibir un mensaje de texto que verifica su teléfono para {brand}, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
);

const shareOf20261124 = /* @__PURE__ */ plain(
  "2026-11-24",
  "By choosing Share, you direct Countersign to give {brand} these details, agree to the [Terms of use](terms), and acknowledge the [Privacy policy](privacy).",
  "Al elegir Compartir, usted indica a Countersign que entregue estos datos a {brand}, acepta las [Condiciones de uso](terms) y reconoce la [Política de privacidad](privacy).",
);

const insuranceOf20261124 = /* @__PURE__ */ plain(
  "2026-11-24",
  "By choosing Share, you direct Countersign to give {brand} this insurance, confirm that it’s yours, agree to the [Terms of use](terms), and acknowledge the [Privacy policy](privacy).",
  "Al elegir Compartir, usted indica a Countersign que entregue este seguro a {brand}, confirma que es suyo, acepta las [Condiciones de uso](terms) y reconoce la [Política de privacidad](privacy).",
);

const signInOf20261122 = /* @__PURE__ */ plain(
  "2026-11-22",
  "By choosing Continue you agree to get a text message with a code to sign in, and you agree to the [Terms of use](terms) and the [Privacy policy](privacy). Message and data rates may apply.",
  "Al elegir Continuar acepta recibir un mensaje de texto con un código para entrar, y acepta las [Condiciones de uso](terms) y la [Política de privacidad](privacy). Su operador puede cobrar por mensajes y datos.",
);

const deleteOf20261124 = {
  version: "2026-11-24",
  en: {
    text: "This can’t be undone. It destroys the key that protects your data: what you shared, cards, insurance, texts, and anything not yet delivered.",
    elsewhere: "Companies may have kept copies of what they read. Ask them to delete those.",
    kept: "For five years, we keep proof of your decisions: what you decided, with which company, when, and the text you saw. It has your phone number in coded form and none of your data.",
    button: "Delete everything",
  },
  es: {
    text: "No se puede deshacer. Destruye la clave que protege sus datos: lo que compartió, las tarjetas, el seguro, los mensajes y lo que aún no se entregó.",
    elsewhere: "Las empresas pueden haber guardado copias de lo que leyeron. Pídales que las borren.",
    kept: "Durante cinco años guardamos la prueba de sus decisiones: qué decidió, con qué empresa, cuándo y el texto que vio. Contiene su número en forma codificada y ninguno de sus datos.",
    button: "Borrar todo",
  },
} satisfies Versioned;

/** Former versions by kind of text, newest first. They have their own map so the screens' first load can omit them. */
export const earlierConsent = {
  proveVerify: [proveVerifyOf20261124, proveVerifyOf20261123, proveVerifyOf202611],
  proveKnown: [knownDataOf20261124, knownPhoneOf202611],
  proveKnownSsn: [knownSsnOf20261124, proveKnownSsnOf20261123, knownPhoneOf202611],
  proveKnownHealth: [knownHealthOf20261124, proveKnownHealthOf20261123, knownPhoneOf202611],
  proveKnownSsnAndHealth: [knownSsnAndHealthOf20261124, proveKnownSsnAndHealthOf20261123, knownPhoneOf202611],
  proveData: [typedDataOf20261124, proveDataOf20261123, proveDataOf202611],
  proveSsn: [typedSsnOf20261124, proveSsnOf20261123, proveSsnOf202611],
  proveHealth: [typedHealthOf20261124, proveHealthOf20261123, proveHealthOf202611],
  proveSsnAndHealth: [typedSsnAndHealthOf20261124, proveSsnAndHealthOf20261123, proveSsnAndHealthOf202611],
  share: [shareOf20261124, shareOf202611],
  decline: [declineOf202611],
  leave: [],
  insurance: [insuranceOf20261124, insuranceOf202611],
  signIn: [signInOf20261122],
  stop: [stopOf20261124, stopOf20261123, stopOf20261122],
  delete: [deleteOf20261124, deleteOf20261123, deleteOf20261122],
  reset: [resetOf20261122],
  addToWallet: [],
  handOver: [handOverOf20261123, handOverOf20261122],
} satisfies Record<string, readonly Versioned[]>;
