import { recordWords } from "@countersign/contract/record-words";
import type { AccountWords } from "./account-words-en.ts";

export const accountEs: AccountWords = {
  ...recordWords.es,
  signInTitle: "Vea quién tiene sus datos",
  signInLead:
    "Entre con su número de teléfono para ver qué empresas recibieron o leyeron sus datos. Puede dejar de compartirlos, corregirlos, descargarlos o borrarlos.",
  tooManyTexts: "Se pidieron demasiados códigos desde su red. Vuelva a intentarlo en una hora.",
  codeSentIf: "Si este número figura en nuestros registros, enviamos un código de 6 dígitos al",
  resentIf: "Si podemos enviar mensajes a este número, un código nuevo va en camino. Use el más reciente.",
  noText:
    "¿No recibió el mensaje? Solo los enviamos a números que figuran en nuestros registros, y pocas veces por hora.",
  codeAgree: "Con el código, su sesión queda abierta en este dispositivo hasta ocho horas.",
  signedInAs: (phone) => `Sesión iniciada con ${phone}`,
  signedOut: "Su sesión se cerró.",
  signOut: "Cerrar sesión",
  stillSignedIn: "No se pudo cerrar la sesión, y puede que siga abierta aquí. Inténtelo de nuevo.",
  back: "Volver",

  homeTitle: "Sus datos",
  hiddenText: "Confirme su fecha de nacimiento o su SSN para ver los valores completos.",
  showValues: "Mostrar valores",
  shownText: (time) => `Los valores completos se ven hasta las ${time}.`,
  sourcesNote: "Cuando usted comparte, consultamos sus datos en otras fuentes. Los borramos una hora después.",
  earlier: "Mostrar actividad anterior",
  handsTitle: "Administrar",

  brandLead: (first) => `Primera actividad: ${first}`,
  shareTitle: (brand) => `Lo que ${brand} puede leer`,
  nothingToRead: "Nada en este momento.",
  stopDone: (brand) => `Listo. ${brand} ya no puede leer sus datos.`,
  keptCopies: (brand) => `Puede haber guardado copias anteriores. Pídale a ${brand} que las borre.`,
  stop: "Dejar de compartir",
  stopAsk: (brand) => `¿Dejar de compartir con ${brand}?`,
  correct: (what) => `Corregir ${what}`,
  correctTitle: "Corrija lo que escribió",
  correctText: (brand) => `${brand} verá el valor nuevo la próxima vez que lea sus datos.`,
  corrected: "Corregido.",
  save: "Guardar",
  badValue: "Esto no parece correcto. Revíselo.",

  purpose: (word) => `(1-Click ${word})`,
  whatYouSaw: "El texto que vio",
  whatItStated: "Base legal",
  receipt: "Recibo firmado",

  proofTitle: "Confirme que es usted",
  proofText:
    "Por su seguridad, responda una pregunta sobre usted. Comparamos la respuesta con una fuente externa y no la guardamos.",
  proofMismatch: "No coincide con nuestras fuentes. Revíselo e inténtelo de nuevo. El número de intentos es limitado.",
  proofExceeded: "Demasiados intentos. Vuelva a intentarlo en media hora.",
  proofUnknown:
    "Ninguna fuente externa tiene datos de usted, así que no podemos comprobarlo. Aun así puede borrar todo.",
  useSsn4: "Usar los dígitos de mi SSN",
  useBirthday: "Usar mi fecha de nacimiento",

  downloadTitle: "Ver o descargar todo",
  downloadText:
    "Todo lo que guardamos con su número de teléfono: tarjetas, datos compartidos, seguro, toda la actividad y sus decisiones con recibos firmados.",
  downloadFile: "Descargar como archivo (JSON)",
  downloadPage: "Ver como página",

  devicesText: "Cierre la sesión en los dispositivos que no reconozca.",
  endDevice: (device) => `Cerrar la sesión en ${device}`,
  endOthers: "Cerrar la sesión en todos los demás",
  notEnded: "No funcionó, y puede que otros dispositivos sigan con la sesión abierta. Inténtelo de nuevo.",

  deleteTitle: "Borrar todo",
  deleteWord: "BORRAR",
  deleteLabel: "Escriba BORRAR para confirmar",
  deleteUnconfirmed: "Escriba la palabra BORRAR.",
  deletedTitle: "Sus datos se borraron",
  deletedText: "Ya no podemos leerlos. Las empresas pueden haber guardado copias. Su sesión se cerró.",
  resetTitle: "Restablecer esta persona de prueba",
  resetDoneTitle: "Esta persona de prueba se restableció",
  resetDoneText: "Las marcas de demostración ya no tienen datos de esta persona.",
  keepReceipt: "Guardar el recibo",

  newHolderDone: "Empezó de cero con este número.",

  over: "Su sesión terminó. Vuelva a entrar para continuar.",
  goHome: "Ir a sus datos",
};
