import type { IntegrationType } from "@countersign/contract/brand";

/** The customers and brands of a new sandbox. Their keys are public, and exist only if DEMO is on. */
export const demoCustomers = [
  { uuid: "d0000000-0000-4000-8000-000000000001", name: "Demo customer", email: "demo@example.com" },
  { uuid: "d0000000-0000-4000-8000-000000000002", name: "Second demo customer", email: "demo-2@example.com" },
] as const;
/** Who signs in to the console of a sandbox with demo brands. */
export const demoOperator = { email: "operator@example.com", name: "Demo operator", role: "operator" } as const;
export const [firstDemoCustomer, secondDemoCustomer] = demoCustomers;

export type DemoBrand = {
  uuid: string;
  apiKey: string;
  name: string;
  customerUuid: string;
  integrationType: IntegrationType;
  settings(walletUrl: string): Record<string, unknown>;
};

const uuid = (last: number) => `b0000000-0000-4000-8000-${String(last).padStart(12, "0")}`;
const first = firstDemoCustomer.uuid;
const health = {
  enabled: true,
  providers: [{ type: "organization", name: "Demo Clinic", npi: "1999999984", default: true }],
};
const nothing = () => ({});

// biome-ignore format: a table
export const demoBrands: readonly DemoBrand[] = [
  { uuid: uuid(1), apiKey: "sk_sandbox_demo_api",                 name: "Demo API",                 customerUuid: first, integrationType: "api",        settings: () => ({ health }) },
  { uuid: uuid(2), apiKey: "sk_sandbox_demo_api_2",               name: "Demo API 2",               customerUuid: secondDemoCustomer.uuid, integrationType: "api", settings: nothing },
  { uuid: uuid(3), apiKey: "sk_sandbox_demo_sdk",                 name: "Demo SDK",                 customerUuid: first, integrationType: "sdk",        settings: () => ({ health }) },
  { uuid: uuid(4), apiKey: "sk_sandbox_demo_hosted",              name: "Demo Hosted",              customerUuid: first, integrationType: "hosted",     settings: (walletUrl) => ({ redirectUrl: `${walletUrl}/demo/landing` }) },
  { uuid: uuid(5), apiKey: "sk_sandbox_demo_semi_hosted",         name: "Demo Semi-Hosted",         customerUuid: first, integrationType: "semiHosted", settings: nothing },
  { uuid: uuid(6), apiKey: "sk_sandbox_demo_non_hosted",          name: "Demo Non-Hosted",          customerUuid: first, integrationType: "nonHosted",  settings: nothing },
  { uuid: uuid(7), apiKey: "sk_sandbox_demo_v1",                  name: "Demo v1",                  customerUuid: first, integrationType: "v1",         settings: (walletUrl) => ({ redirectUrl: `${walletUrl}/demo/landing`, v1: { trustedApproved: true } }) },
  { uuid: uuid(8), apiKey: "sk_sandbox_demo_v1_production_style", name: "Demo v1, production style", customerUuid: first, integrationType: "v1",         settings: (walletUrl) => ({ redirectUrl: `${walletUrl}/demo/landing`, v1: { sendsSmsItself: true } }) },
];

const typable = { mandatory: "yes", allowUserInput: true };
const parts = (types: string[]) => types.map((type) => ({ type, ...typable }));
const fullName = {
  type: "FullNameCredential",
  ...typable,
  children: parts(["FirstNameCredential", "LastNameCredential"]),
};
const birthDate = { type: "BirthDateCredential", ...typable };
const phone = { type: "PhoneCredential", mandatory: "yes" };
const address = {
  type: "AddressCredential",
  multi: true,
  ...typable,
  children: [
    ...parts(["Line1Credential"]),
    { type: "Line2Credential", mandatory: "no", allowUserInput: true },
    ...parts(["CityCredential", "StateCredential", "ZipCodeCredential"]),
  ],
};
const ssn = { type: "SsnCredential", ...typable };
const email = { type: "EmailCredential", mandatory: "no", allowUserInput: true };

/** The brands that the stage shows. They belong to the first demo customer, and nobody else uses their keys. */
export const stageBrands: Readonly<Record<"bank" | "clinic", DemoBrand>> = {
  bank: {
    uuid: uuid(9),
    apiKey: "sk_sandbox_demo_stage_bank",
    name: "Stage: Linden Bank",
    customerUuid: first,
    integrationType: "sdk",
    settings: () => ({
      externalName: "Linden Bank",
      defaultCredentialRequests: [fullName, phone, address, birthDate, ssn, email],
      styling: { primaryColor: "#1F4FA3" },
    }),
  },
  clinic: {
    uuid: uuid(10),
    apiKey: "sk_sandbox_demo_stage_clinic",
    name: "Stage: Cedar Clinic",
    customerUuid: first,
    integrationType: "sdk",
    settings: () => ({
      externalName: "Cedar Clinic",
      defaultCredentialRequests: [fullName, phone, birthDate],
      styling: { primaryColor: "#0F6E70" },
      health: {
        ...health,
        providers: [{ type: "organization", name: "Cedar Clinic", npi: "1999999984", default: true }],
      },
    }),
  },
};
