/**
 * Whether a payer is a federal program: Medicare, TRICARE, CHAMPVA or another program of Veterans Affairs. A 270 to them
 * contains no SSN (005010X279A1, 2100C REF01 SY).
 */
export function isFederal({
  name,
  id,
  isFederal: isKnown,
}: {
  name: string;
  id: string;
  isFederal?: boolean;
}): boolean {
  if (isKnown !== undefined && isKnown) return true;
  const text = name.toUpperCase();
  const compact = text.replace(/[^A-Z]/g, "");
  return programs.some((program) => compact.includes(program)) || veterans.test(text) || ids.has(id.toUpperCase());
}

const programs = [
  "MEDICARE",
  "TRICARE",
  "TRIWEST",
  "HUMANAMILITARY",
  "CHAMPUS",
  "CHAMPVA",
  "VETERAN",
  "HEALTHNETFEDERAL",
  "INDIANHEALTHSERVICE",
  // The companies that answer for Medicare.
  "CGSADMINISTRATORS",
  "FIRSTCOASTSERVICEOPTIONS",
  "NATIONALGOVERNMENTSERVICES",
  "NORIDIAN",
  "NOVITAS",
  "PALMETTOGBA",
];
/** VA at the end of a name is Virginia. */
const veterans = /^(THE |US |U\.S\. )?VA\b|\bDEP(ARTMEN)?T\.? OF VA\b|\bVA ?CCN\b/;
const ids = new Set(["CMS", "MEDICARE", "HETS"]);
