/** The people and plans that the sandbox's clearinghouse knows. A name and a birth date identify a person. */
export type SandboxPlan = {
  memberId: string;
  payerId: string;
  planName?: string;
  coverage: "medical" | "dental" | "vision";
  insuranceTypes?: readonly string[];
  group?: readonly [number: string, name: string];
  isMedicare?: boolean;
  status?: "active" | "inactive" | "indeterminate";
  /** What is special about the payer's answer. */
  situation?: Situation;
  related?: { name: string; phone: string; fax?: string; email?: string; url?: string };
};
export const situations = {
  endedBefore: "the payer also names last year's plan, and names it first",
  twins:
    "the payer answers with a subscriber and twins, of whom only José is insured: a lookup for Juan ends with `No coverage found`",
  tiers: "two tiers of providers have equal deductibles with different remainders",
  visits: "chiropractic is limited in dollars and in visits",
} as const;
type Situation = keyof typeof situations;

export type SandboxInsured = {
  name: readonly [first: string, last: string];
  birthDates: readonly string[];
  middleName?: string;
  sex?: "Male" | "Female";
  address?: { line1: string; line2?: string; city: string; state: string; zipCode: string };
  plans: readonly SandboxPlan[];
};

const choice = {
  payerId: "60054",
  planName: "AETNA CHOICE POS II",
  coverage: "medical",
  insuranceTypes: ["PR"],
  related: {
    name: "AETNA BEHAVIORAL HEALTH",
    phone: "8005550143",
    fax: "8005550144",
    email: "behavioral@aetna.example",
  },
} as const;
const uhc = {
  payerId: "87726",
  planName: "UHC CHOICE PLUS HMO",
  coverage: "medical",
  insuranceTypes: ["HM"],
  group: ["778899", "HOOLI"],
  related: { name: "OPTUMRX", phone: "8005550187", url: "https://optumrx.example" },
} as const;
const medicare = {
  payerId: "MEDICARE",
  planName: "MEDICARE PART A AND PART B",
  coverage: "medical",
  insuranceTypes: ["MA", "MB"],
  isMedicare: true,
} as const;
const piedPiper = ["123456", "PIED PIPER"] as const;

// biome-ignore format: a table
export const sandboxInsured: readonly SandboxInsured[] = [
  { name: ["Richard", "Hendricks"], birthDates: ["1989-08-01", "1989-08-02"], middleName: "Harrison", sex: "Male",
    address: { line1: "5320 Newell Rd", line2: "Ste 200", city: "Palo Alto", state: "CA", zipCode: "94303" },
    plans: [{ memberId: "A484069", ...choice, group: piedPiper }, { memberId: "B231615071", ...uhc }] },
  { name: ["Monica", "Hall"], birthDates: ["1990-01-01", "1990-01-02"], middleName: "Amanda", sex: "Female",
    address: { line1: "7500 N Glenoaks Blvd", city: "Burbank", state: "CA", zipCode: "91504" },
    plans: [{ memberId: "A664048", payerId: "60054", planName: "AETNA OPEN CHOICE", coverage: "medical", group: ["654321", ""] }] },
  { name: ["Dinesh", "Chugtai"], birthDates: ["1988-02-02"], sex: "Male",
    plans: [{ memberId: "D726687", payerId: "60054", planName: "AETNA DENTAL PPO", coverage: "dental", group: ["111222", "PIED PIPER"] }] },
  { name: ["Jared", "Dunn"], birthDates: ["1986-03-03"], sex: "Male",
    plans: [{ memberId: "V726687", payerId: "60054", planName: "AETNA VISION PREFERRED", coverage: "vision", group: ["111222", "PIED PIPER"] }] },
  { name: ["Erlich", "Bachman"], birthDates: ["1979-05-05"], sex: "Male",
    plans: [
      { memberId: "A700002", ...choice, group: ["333444", "BACHMANITY"] },
      { memberId: "B700002", payerId: "52133", planName: "UHC DENTAL PPO", coverage: "dental", group: ["333444", "BACHMANITY"] },
    ] },
  { name: ["Nelson", "Bighetti"], birthDates: ["1992-04-04"], sex: "Male",
    plans: [{ memberId: "A700001", payerId: "60054", coverage: "medical", status: "indeterminate",
      related: { name: "BEHAVIORAL HEALTH CARVE OUT", phone: "8005551234" } }] },
  { name: ["Russ", "Hanneman"], birthDates: ["1978-09-09"], sex: "Male",
    address: { line1: "1 Congress Ave", city: "Austin", state: "TX", zipCode: "78701" },
    plans: [{ memberId: "U12345678", payerId: "62308", planName: "CIGNA OPEN ACCESS PLUS", coverage: "medical", insuranceTypes: ["PR"], group: ["445566", "THREE COMMA CLUB"] }] },
  { name: ["Peter", "Gregory"], birthDates: ["1952-03-15"], sex: "Male", plans: [{ memberId: "1EG4TE5MK73", ...medicare }] },
  { name: ["Jack", "Barker"], birthDates: ["1955-11-20"], sex: "Male",
    plans: [
      { memberId: "7W34Q29JT50", ...medicare },
      { memberId: "91234567A", payerId: "MDCAL", planName: "MEDI-CAL", coverage: "medical", insuranceTypes: ["MC"] },
    ] },
  { name: ["Ron", "LaFlamme"], birthDates: ["1958-07-07"], sex: "Male",
    plans: [{ memberId: "101234567890", payerId: "60054", planName: "AETNA MEDICARE ADVANTAGE PPO", coverage: "medical", insuranceTypes: ["HN"], isMedicare: true }] },
  { name: ["Laurie", "Bream"], birthDates: ["1975-06-06"], sex: "Female",
    plans: [{ memberId: "A700003", ...choice, group: ["333555", "BREAM HALL"], situation: "endedBefore" }] },
  { name: ["José", "Alvarez"], birthDates: ["2010-10-14"], sex: "Male",
    plans: [{ memberId: "A700004", ...choice, group: ["333666", "HOOLI"], situation: "twins" }] },
  { name: ["Juan", "Alvarez"], birthDates: ["2010-10-14"], sex: "Male",
    plans: [{ memberId: "A700004", ...choice, group: ["333666", "HOOLI"], situation: "twins" }] },
  { name: ["Tracy", "Robertson"], birthDates: ["1985-05-05"], sex: "Female",
    plans: [{ memberId: "A700005", ...choice, group: ["333777", "HOOLI"], situation: "tiers" }] },
  { name: ["Keenan", "Feldspar"], birthDates: ["1987-07-07"], sex: "Male",
    plans: [{ memberId: "A700006", ...choice, group: ["333888", "HOOLI"], situation: "visits" }] },
  { name: ["Carla", "Walton"], birthDates: ["1983-08-08"], sex: "Female",
    address: { line1: "PSC 1 Box 100", city: "FPO", state: "AE", zipCode: "09618" },
    plans: [{ memberId: "T7000007", payerId: "99727", planName: "TRICARE PRIME", coverage: "medical", insuranceTypes: ["HM"] }] },
  { name: ["Gavin", "Belson"], birthDates: ["1991-01-01"], middleName: "Matthew", sex: "Male",
    address: { line1: "3300 Palos Verdes Dr W", city: "Rancho Palos Verdes", state: "CA", zipCode: "90275" }, plans: [] },
];

/** The plans that discovery finds for everyone else. */
export const anybodysPlans: readonly SandboxPlan[] = [
  { memberId: "A618095", ...choice, group: piedPiper },
  { memberId: "B895002692", ...uhc },
];

/** Plans that only a check finds, by member ID. */
export const checkPlans: readonly SandboxPlan[] = [
  { memberId: "W345876123", ...choice, group: piedPiper },
  { memberId: "INACTIVE60054", ...choice, group: piedPiper, status: "inactive" },
];

const gilfoyle = { coverage: "medical", insuranceTypes: ["PR"] } as const;
/** Bertram Gilfoyle is found by name and birth date, with any member ID. */
export const gilfoylePlans: readonly (SandboxPlan & { birthDate: string })[] = [
  { birthDate: "1995-08-19", memberId: "G100710", payerId: "00710", planName: "COMMUNITY BLUE PPO", ...gilfoyle },
  { birthDate: "1990-01-01", memberId: "G100803", payerId: "803", planName: "ANTHEM PPO", ...gilfoyle },
  { birthDate: "1980-03-03", memberId: "G162308", payerId: "62308", planName: "CIGNA OPEN ACCESS PLUS", ...gilfoyle },
];
