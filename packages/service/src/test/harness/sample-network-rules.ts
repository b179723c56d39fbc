import type { BrandSettings } from "@countersign/contract/brand";

/** Network rules: one with every option of a rule, and others with few. */
export const sampleRules: BrandSettings["networkRules"] = [
  {
    name: "Aetna PPO of Pied Piper",
    status: "IN_NETWORK",
    enabled: true,
    notes: "Signed in 2026",
    metadata: { selfPay: false, priority: 1, packageId: "123456" },
    startDate: "2025-10-01",
    endDate: "2027-10-01",
    conditions: [
      { key: "payerId", operator: "EQUAL", values: ["V404110"] },
      { key: "payerName", operator: "INCLUDE", values: ["Aetna"] },
      { key: "state", operator: "EQUAL", values: ["MA", "NY", "WA"] },
      { key: "insuranceTypeCodes", operator: "INCLUDE", values: ["PR"] },
      { key: "planName", operator: "INCLUDE", values: ["CHOICE"] },
      { key: "relatedEntities", operator: "INCLUDE", values: ["Hooli Health"] },
      { key: "groupNumber", operator: "EQUAL", values: ["123456-123-12345"] },
      { key: "groupName", operator: "INCLUDE", values: ["Pied Piper"] },
    ],
  },
  {
    name: "Other Aetna",
    status: "OUT_OF_NETWORK",
    conditions: [{ key: "payerName", operator: "INCLUDE", values: ["Aetna", "AETNA INC"] }],
  },
  {
    name: "No code",
    status: "INDETERMINATE",
    enabled: false,
    conditions: [{ key: "insuranceTypeCodes", operator: "INCLUDE", values: ["NONE"] }],
  },
];
