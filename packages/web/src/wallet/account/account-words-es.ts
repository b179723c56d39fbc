import { recordWords } from "@countersign/contract/record-words";
import { isLong } from "../words-en.ts";
import type { AccountWords } from "./account-words-en.ts";

export const accountEs: AccountWords = {
  ...recordWords.es,
  signInTitle: "Administre lo que comparte",
  signInLead: "Inicie sesión con su número de teléfono.",
  canDo: {
    see: "Vea qué empresas recibieron o leyeron sus datos",
    stop: "Deje de compartir cuando quiera",
    change: "Corrija, descargue o borre sus datos",
  },
  tooManyTexts: "Se pidieron demasiados códigos desde su red. Intente de nuevo en una hora.",
  codeSentIf: "Si tenemos un registro de este número, le enviamos un código de 6 dígitos al",
  resentIf: "Si podemos enviar mensajes a este número, ya le enviamos un código nuevo. Use el más reciente.",
  noText:
    "¿No le llegó el mensaje? Solo enviamos mensajes a números que tenemos registrados, y solo unas pocas veces por hora.",
  codeAgree: "Con el código, su sesión queda abierta en este dispositivo hasta ocho horas.",
  signedInAs: "Sesión iniciada con",
  signedOut: "Su sesión se cerró.",
  signOut: "Cerrar sesión",
  stillSignedIn: "No se pudo cerrar la sesión y puede que siga abierta aquí. Intente de nuevo.",
  otherPerson: "Ahora hay otra persona con la sesión iniciada aquí. No se cambió nada.",
  back: "Volver",

  homeTitle: "Sus datos",
  hiddenText: "Confirme su fecha de nacimiento o su número de Seguro Social para ver los datos completos.",
  showValues: "Mostrar datos",
  hideValues: "Ocultar datos",
  shownText: (time) => `Los datos completos se ven hasta ${time} Elija una empresa de la lista para verlos.`,
  cardsText: "Las agregaron empresas. Solo se comparten si usted acepta.",
  earlier: "Mostrar actividad anterior",
  handsTitle: "Administrar",

  brandLead: (first) => `Primera actividad: ${first}`,
  shareTitle: (brand) => (isLong(brand) ? "Lo que puede leer" : `Lo que ${brand} puede leer`),
  nothingToRead: "Nada en este momento.",
  insurance: "seguro médico",
  insuranceName: "Seguro médico",
  mapUntil: (time) => `hasta ${time}`,
  mapLabel: "Quién tiene cada dato",
  mapChoose: "Elegir",
  mapMore: "Ver qué puede leer",
  notRead: "Todavía no los leyó",
  insuranceUntil: (brand, time) => `${brand} puede leer su seguro médico hasta ${time}`,
  insuranceDetails: "“Ver o descargar todo” muestra los detalles.",
  stopDone: (brand) => `Usted dejó de compartir. ${brand} ya no puede leer sus datos.`,
  keptCopies: (brand) => `Puede haber guardado copias anteriores. Pídale a ${brand} que las borre.`,
  stop: "Dejar de compartir",
  stopAsk: (brand) => (isLong(brand) ? "¿Dejar de compartir?" : `¿Dejar de compartir con ${brand}?`),
  correctTitle: "Edite lo que ingresó",
  correctText: (brand) => `${brand} verá el cambio la próxima vez que lea sus datos.`,
  corrected: "Guardado.",
  save: "Guardar",
  badValue: "Esto no parece correcto. Revíselo.",

  purpose: (word) => `(1-Click ${word})`,
  receipt: "Recibo firmado",

  proofTitle: "Confirme que es usted",
  proofText:
    "Por su seguridad, responda una pregunta sobre usted. Comparamos la respuesta con una fuente externa y no la guardamos.",
  proofExceeded: "Demasiados intentos. Intente de nuevo en media hora.",
  proofUnknown:
    "Ninguna fuente externa tiene datos sobre usted, así que no podemos verificarlo. Aun así, puede borrar todo.",
  useSsn4: "Usar los últimos 4 dígitos de mi Seguro Social",
  useBirthday: "Usar mi fecha de nacimiento",

  downloadTitle: "Ver o descargar todo",
  downloadText:
    "Todo lo que guardamos de su número de teléfono: tarjetas, datos compartidos, seguro, actividad y sus decisiones con recibos firmados.",
  inside: {
    companies: "Empresas",
    readable: "Datos que pueden leer",
    activity: "Actividad y recibos",
    since: (day) => `desde el ${day}`,
  },
  downloadFile: "Descargar como archivo (JSON)",
  downloadPage: "Ver como página",

  takeOutTitle: "Guardar en una billetera digital",
  takeOutText:
    "Guarde datos verificados en una billetera digital de su teléfono. Después puede mostrarlos a quien quiera sin nosotros, y usted elige cada vez qué se ve.",
  takeOutKinds: "Datos verificados",
  takeOutIssued: "Emitido a su nombre",
  takeOutNone: "No tenemos este dato verificado de usted.",
  takeOutBusy: "Demasiados datos esperan una billetera. Intente de nuevo en diez minutos.",
  kinds: { phone: "Teléfono", name: "Nombre completo", birthdate: "Fecha de nacimiento", address: "Dirección" },
  offerTitle: (what) => `Guardar: ${what}`,
  offerText:
    "Escanee este código QR con la billetera de su teléfono, o ábrala si está en este dispositivo. Cuando le pida un código, elija Mostrar el código.",
  offerTextPhone:
    "Abra la billetera en este teléfono. Cuando le pida un código, vuelva aquí y elija Mostrar el código.",
  offerElsewhere: "Mi billetera está en otro dispositivo",
  offerPicture: "Código QR para su billetera",
  offerOpen: "Abrir la billetera",
  offerCode: "Mostrar el código",
  codeTitle: "Ingrese este código en su billetera",
  codeText: (time) =>
    `Quien tenga este código y el código QR puede recibir sus datos, así que no lo comparta. Sirve hasta ${time}`,
  done: "Listo",
  walletAsks: (what) => `¿Guardar su ${what} en una billetera?`,
  walletRefuse: "No guardar",
  walletReturnTitle: "Continúe en su billetera",
  walletGoneTitle: "Esta solicitud venció",
  walletGoneText:
    "Ya se usó, tiene más de diez minutos o es de otro teléfono. Empiece de nuevo en “Guardar en una billetera digital”.",
  takenTitle: "En sus billeteras",
  takenNone: "Nada todavía.",
  takenOn: (day, until) => `Guardado el ${day} · válido hasta el ${until}`,
  takenBy: (brand) => `Emitida por ${brand}`,
  takenStates: { valid: "Válida", withdrawn: "Retirada por usted", revoked: "Revocada por el emisor" },
  withdraw: "Retirar",
  withdrawWhat: (what) => `Retirar ${what}`,
  withdrawn: (what) => `Se retiró: ${what}. Dejará de funcionar en menos de un minuto.`,

  devicesText: "Cierre la sesión en los dispositivos que no reconozca.",
  onlyDevice: "Solo tiene la sesión abierta en este dispositivo.",
  devicesIdle: "La sesión se cierra tras 15 minutos sin uso.",
  usedNow: "En uso ahora",
  usedAt: (time) => `Último uso: ${time}`,
  endOthers: "Cerrar la sesión en todos los demás dispositivos",
  notEnded: (device) => `No pudimos cerrar la sesión en ${device} y puede que siga abierta. Intente de nuevo.`,
  othersNotEnded: "No pudimos cerrar la sesión en sus demás dispositivos y puede que siga abierta. Intente de nuevo.",

  deleteTitle: "Borrar todo",
  deleteWord: "BORRAR",
  deleteLabel: "Escriba BORRAR para confirmar",
  deletedTitle: "Sus datos se borraron",
  deletedText: "Ya no podemos leerlos. Las empresas pueden haber guardado copias. Su sesión se cerró.",
  resetTitle: "Restablecer esta persona de prueba",
  resetDoneTitle: "Esta persona de prueba se restableció",
  resetDoneText: "Las empresas de demostración ya no tienen datos de esta persona.",
  keepReceipt: "Descargar el recibo",

  newHolderAsk: "¿Empezar de cero con este número?",
  newHolderLoses:
    "Esta página quedará vacía. Los datos que compartió, las tarjetas y la actividad que ve ahora no se pueden recuperar. Las empresas pueden conservar lo que ya leyeron.",
  newHolderDone: "Empezó de cero con este número.",

  over: "Su sesión venció. Inicie sesión de nuevo.",
  goHome: "Ir a sus datos",
};
