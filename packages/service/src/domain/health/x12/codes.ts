import type { Segment } from "./segment.ts";
import { isWordCharacter } from "./segments.ts";

/** EB01 1 to 5: active coverage. */
export const activeCodes = new Set(["1", "2", "3", "4", "5"]);
/** EB01 6 to 8: inactive coverage. */
export const inactiveCodes = new Set(["6", "7", "8"]);
/** EB03 30: the whole plan. */
export const wholePlan = "30";

const numbered = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`);
const lettered = (prefix: string, from: string, to: string) =>
  Array.from(
    { length: to.charCodeAt(0) - from.charCodeAt(0) + 1 },
    (_, index) => `${prefix}${String.fromCharCode(from.charCodeAt(0) + index)}`,
  );

/** Oral surgery, dental accidents and maxillofacial prosthetics (40, 37, 27) are absent, because medical plans pay them. */
const dental = new Set([
  ...numbered("", 23, 26),
  "28",
  "35",
  "36",
  "38",
  "39",
  "41",
  ...lettered("E", "B", "K"),
  "FA",
  "FB",
  ...numbered("V", 3, 45),
]);
const vision = new Set(["AL", "AM", "AN", "AO", "CP"]);
const pharmacy = new Set([...numbered("", 88, 92), "B1", "B2", "B3", "GF", "GN"]);

export type CoverageType = "medical" | "dental" | "vision";

/** The coverage types of these service types. A plan without service types is medical. */
export function coverageTypesOf(serviceTypeCodes: readonly string[]): CoverageType[] {
  const special = (code: string) => dental.has(code) || vision.has(code) || pharmacy.has(code);
  const types: CoverageType[] = [];
  if (serviceTypeCodes.length === 0 || serviceTypeCodes.some((code) => !special(code))) types.push("medical");
  if (serviceTypeCodes.some((code) => dental.has(code))) types.push("dental");
  if (serviceTypeCodes.some((code) => vision.has(code))) types.push("vision");
  return types;
}

/** Splits the service types of an EB03. Payers use many separators, but codes contain only letters and digits. */
function splitCodes(text: string): string[] {
  const codes = new Set<string>();
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && isWordCharacter(text.charCodeAt(at))) continue;
    const code = text.slice(from, at);
    if (code !== "") codes.add(code);
    from = at + 1;
    if (codes.size >= serviceTypesMax) break;
  }
  return [...codes];
}

/** More than the 99 repetitions that X12 allows. */
const serviceTypesMax = 300;

/** The service types of a benefit. */
export class ServiceTypes {
  readonly codes: string[];
  /** The codes in the payer's order. */
  readonly ordered: string;
  /** Whether the benefit is about the whole plan: it has the code of the plan, or neither a code nor a procedure. */
  readonly isWholePlan: boolean;
  /** Whether the benefit is about one procedure only. */
  readonly isProcedure: boolean;
  private sorted: string | undefined;

  constructor(codes: string[], hasProcedure: boolean) {
    this.codes = codes;
    this.ordered = codes.join();
    this.isProcedure = codes.length === 0 && hasProcedure;
    this.isWholePlan = codes.includes(wholePlan) || (codes.length === 0 && !hasProcedure);
  }

  /** The codes, sorted. */
  get unordered(): string {
    this.sorted ??= this.codes.toSorted().join();
    return this.sorted;
  }
}

const ofProcedure = new ServiceTypes([], true);

/** Splits EB03 values with a cache, because a response repeats a few long values. Returned objects are shared. */
export function serviceTypesReader(): (eb: Segment) => ServiceTypes {
  const known = new Map<string, ServiceTypes>();
  return (eb) => {
    const text = eb.element(3);
    // The procedure is in EB13.
    if (text === "" && eb.element(13) !== "") return ofProcedure;
    const before = known.get(text);
    if (before !== undefined) return before;
    const types = new ServiceTypes(splitCodes(text), false);
    known.set(text, types);
    return types;
  };
}

/** The payer cannot answer now. */
const temporaryRejections = new Set(["42", "80"]);
/** AAA04 codes that permit the same question again, and those that permit a corrected one. Most payers that do not say permit it. */
const permitsRepeat = new Set(["P", "R", ""]);
const permitsCorrection = new Set(["C", "P", "R", ""]);

type Answered = { code: string; action: string };

/** Whether the payer cannot answer now. */
export const isTemporaryRejection = ({ code }: Answered) => temporaryRejections.has(code);
/** Whether the same question may be asked again. A repeated call costs money, so no rejection may forbid it. */
export function mayRepeat(rejections: readonly Answered[]): boolean {
  return (
    rejections.some((one) => isTemporaryRejection(one) && permitsRepeat.has(one.action)) &&
    rejections.every((one) => permitsCorrection.has(one.action))
  );
}
/** Whether a question with other search data may be asked. */
export function mayCorrect(rejections: readonly Answered[]): boolean {
  return rejections.every((one) => permitsCorrection.has(one.action));
}
type SearchedBy = "birthDate" | "firstName" | "middleName" | "sex" | "memberId";

/**
 * The payer does not recognize the person. The next search leaves these details out, if it has the one it needs: only
 * a member id finds a person without a birth date or a first name.
 */
export const searchRejections = new Map<string, { leavesOut: SearchedBy[]; needs: SearchedBy }>([
  ["71", { leavesOut: ["birthDate"], needs: "memberId" }],
  ["72", { leavesOut: ["memberId"], needs: "memberId" }],
  ["73", { leavesOut: ["firstName", "middleName"], needs: "memberId" }],
  ["74", { leavesOut: ["sex"], needs: "sex" }],
  ["75", { leavesOut: ["memberId"], needs: "memberId" }],
]);
/** For these codes, "No coverage found" is enough: the payer does not know the person. */
export const nobodyRejections = new Set(["67", "75"]);

const person = "The payer did not recognize the person";
const date = "The payer cannot answer for the date of service";
const provider = "The payer did not accept the provider (NPI)";
const service = "The payer could not answer for a requested service";
const access = "This service is not allowed to ask the payer";
const busy = "Payer unavailable: it is temporarily unable to answer";

/** Our own messages for rejection codes. The codes are X12's. */
const sentences: Record<string, string> = {
  "04": `${access}: the request exceeds a limit`,
  "15": "The request lacks data that the payer requires",
  "33": `${service}: input error`,
  "35": "The provider is outside the plan's network",
  "41": access,
  "42": busy,
  "43": `${provider}: unknown or missing identification`,
  "44": `${provider}: unknown or missing name`,
  "45": `${provider}: unknown or missing specialty`,
  "46": `${provider}: unknown or missing phone`,
  "47": `${provider}: unknown or missing state`,
  "48": `${provider}: unknown or missing referring provider`,
  "49": `${provider}: not the person's primary care physician`,
  "50": `${provider}: not authorized to ask`,
  "51": `${provider}: not on file`,
  "52": `${date}: outside the provider's enrollment`,
  "53": `${service}: not consistent with the provider's type`,
  "54": `${service}: invalid procedure qualifier`,
  "55": `${service}: invalid procedure code`,
  "56": `${date}: invalid date`,
  "57": `${date}: date missing or invalid`,
  "58": `${person}: birth date missing or invalid`,
  "60": `${date}: before the birth date`,
  "61": `${date}: after the date of death`,
  "62": `${date}: outside the allowed period`,
  "63": `${date}: in the future`,
  "64": `${person}: patient id missing or invalid`,
  "65": `${person}: patient name missing or invalid`,
  "66": `${person}: patient sex missing or invalid`,
  "67": `${person}: no such patient`,
  "68": `${person}: the patient id is not unique`,
  "69": `${service}: not consistent with the person's age`,
  "70": `${service}: not consistent with the person's sex`,
  "71": `${person}: the birth date differs from the payer's records`,
  "72": `${person}: member id missing or invalid`,
  "73": `${person}: name missing or invalid`,
  "74": `${person}: sex missing or invalid`,
  "75": `${person}: no such member`,
  "76": `${person}: the member id is not unique`,
  "77": `${person}: the member was found, but not the patient`,
  "78": `${person}: not in the named group or plan`,
  "79": "The payer did not accept one of the parties in the request",
  "80": "Payer unavailable: it did not respond",
  "95": `${person}: not eligible`,
  "97": `${provider}: unknown or missing address`,
  "98": `${service}: it is experimental`,
  AA: `${service}: authorization not found`,
  AE: `${service}: it needs the primary care physician's authorization`,
  AF: `${service}: diagnosis missing or invalid`,
  AG: `${service}: procedure missing or invalid`,
  AO: `${service}: more patient information is needed`,
  CI: `${service}: the certification is for another patient`,
  E8: `${service}: it needs medical review`,
  IA: `${service}: the authorization number is not valid`,
  MA: `${service}: the authorization number is missing`,
  T4: "The request lacks the name or id of one of the parties",
};
const texts = new Map(Object.entries(sentences));

/** The message for an AAA03 code, with the code. */
export function rejectionText(code: string): string {
  const known = texts.get(code);
  return known === undefined ? "The payer rejected the request" : `${known} (AAA ${code})`;
}

/** Whether a rejection is about one service only. The rest of the response is then valid. */
export function isServiceRejection({ loop, code }: { loop: string; code: string }): boolean {
  return loop.startsWith("2110") || texts.get(code)?.startsWith(service) === true;
}
/** Whether the payer did not recognize the person. */
export function isPersonRejection({ loop, code }: { loop: string; code: string }): boolean {
  return /^2[01]00[CD]$/.test(loop) && texts.get(code)?.startsWith(person) === true;
}
