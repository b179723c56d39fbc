/** Names of details, alone and within a sentence or a list. */
type Language = "en" | "es";

/** A label without its first capital. SSN and Social Security keep their capitals. */
export function inSentence(label: string): string {
  const isName = /^\p{Lu}(\p{Lu}|\p{Ll}+ \p{Lu})/u.test(label);
  return isName ? label : label.replace(/^\p{Lu}/u, (first) => first.toLowerCase());
}

/** Different labels in one line, as in `Full name, phone, address`. */
export function inLine(labels: readonly string[]): string {
  const [first, ...more] = new Set(labels);
  return first === undefined ? "" : [first, ...more.map(inSentence)].join(", ");
}

/** Names of values by key, in English and Spanish. */
export const valueNames: Readonly<Record<string, readonly [string, string]>> = {
  fullName: ["Full name", "Nombre completo"],
  firstName: ["First name", "Primer nombre"],
  middleName: ["Middle name", "Segundo nombre"],
  lastName: ["Last name", "Apellido"],
  phone: ["Phone", "Teléfono"],
  phoneInfo: ["Phone information", "Datos del teléfono"],
  lineType: ["Phone line type", "Tipo de línea"],
  email: ["Email", "Correo electrónico"],
  address: ["Address", "Dirección"],
  line1: ["Street address", "Calle y número"],
  line2: ["Apartment or unit", "Apartamento o unidad"],
  city: ["City", "Ciudad"],
  state: ["State", "Estado"],
  region: ["State or province", "Estado o provincia"],
  zipCode: ["ZIP code", "Código postal"],
  postalCode: ["Postal code", "Código postal"],
  country: ["Country", "País"],
  countryResidence: ["Country of residence", "País de residencia"],
  nationality: ["Nationality", "Nacionalidad"],
  birthDate: ["Birthday", "Fecha de nacimiento"],
  ssn: ["Social Security number", "Número de Seguro Social"],
  sex: ["Sex", "Sexo"],
  gender: ["Gender", "Género"],
  identity: ["Identity", "Identidad"],
  employer: ["Employer", "Empleador"],
  employerName: ["Employer", "Empleador"],
  employmentStartDate: ["Employment start date", "Inicio del empleo"],
  title: ["Job title", "Puesto"],
  annualIncome: ["Annual income", "Ingreso anual"],
  annualIncomeRange: ["Annual income range", "Rango de ingreso anual"],
  incomeRange: ["Income range", "Rango de ingreso"],
  incomeCurrency: ["Income currency", "Moneda del ingreso"],
  currency: ["Currency", "Moneda"],
  amount: ["Amount", "Monto"],
  governmentId: ["Government ID", "Documento de identidad"],
  governmentIdType: ["Document type", "Tipo de documento"],
  governmentIdState: ["Issuing state", "Estado emisor"],
  governmentIdNumber: ["Document number", "Número de documento"],
  governmentIdIssuanceDate: ["Issued on", "Fecha de emisión"],
  governmentIdExpirationDate: ["Expires on", "Fecha de vencimiento"],
  governmentIdDocumentImage: ["Picture of the front", "Imagen del anverso"],
  governmentIdDocumentBackImage: ["Picture of the back", "Imagen del reverso"],
  documentType: ["Document type", "Tipo de documento"],
  documentNumber: ["Document number", "Número de documento"],
  documentImage: ["Picture of the front", "Imagen del anverso"],
  documentBackImage: ["Picture of the back", "Imagen del reverso"],
  issuanceDate: ["Issued on", "Fecha de emisión"],
  expirationDate: ["Expires on", "Fecha de vencimiento"],
  facialImage: ["Picture of your face", "Imagen de su rostro"],
};

/** The name of a value, or the schema library's title if the value has no name here. */
export function valueName(key: string, title: string, language: Language): string {
  return valueNames[key]?.[language === "en" ? 0 : 1] ?? title;
}

/** The name of a value within a sentence. */
export function valueInSentence({ key, title }: { key: string; title: string }, language: Language): string {
  return inSentence(valueName(key, title, language));
}
