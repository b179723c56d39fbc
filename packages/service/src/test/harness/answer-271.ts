/** Builds small 271s for tests. */

const before = [
  "ISA*00*          *00*          *ZZ*PAYER          *ZZ*COUNTERSIGN    *260301*1200*^*00501*000000001*0*P*:",
  "GS*HB*PAYER*COUNTERSIGN*20260301*1200*1*X*005010X279A1",
  "ST*271*0001*005010X279A1",
  "BHT*0022*11*T1*20260301*1200",
  "HL*1**20*1",
  "NM1*PR*2*TEST PAYER*****PI*12345",
  "HL*2*1*21*1",
  "NM1*1P*2*DEMO CLINIC*****XX*1999999984",
];
const after = ["SE*1*0001", "GE*1*1", "IEA*1*000000001"];

/** The trace of the question that these answers return. */
export const trace = "TRACE0001";
/** The subscriber of most answers: Pat Sample, born on 1980-01-15. */
export const pat = [
  "HL*3*2*22*0",
  `TRN*2*${trace}*9COUNTERSN`,
  "NM1*IL*1*SAMPLE*PAT****MI*MEM100200",
  "DMG*D8*19800115*F",
];

/** A 271 of March 1, 2026 with these segments after the provider. */
export function answer271(...segments: readonly string[]): Buffer {
  return Buffer.from([...before, ...segments, ...after].map((segment) => `${segment}~`).join(""));
}

/** A 271 about Pat Sample with these benefits. */
export function answerAboutPat(...benefits: readonly string[]): Buffer {
  return answer271(...pat, ...benefits);
}
