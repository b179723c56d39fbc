import type { HealthEntity } from "@countersign/contract/health";
import { healthLookupEvent } from "./publish.ts";

const payer = { name: "Test payer", vendorId: "V000000", ids: ["TEST"] };

/**
 * A made-up health lookup event with every kind of member that a receiver must read, and no personal data. `test` is in
 * the signed body, so nobody can add it to a real event or remove it from this one.
 */
export function madeUpLookup(healthDataUuid: string, sentAt: number): Record<string, unknown> {
  const entity: HealthEntity = {
    healthDataUuid,
    externalReference: "webhook-test",
    status: "SUCCEEDED",
    results: [
      {
        memberId: "TEST-MEMBER",
        payer,
        verificationMethod: "clearinghouse",
        coverageTypes: ["medical"],
        serviceTypeCodes: ["30"],
        isMedicare: false,
        eligibility: {
          coverageStatus: "active",
          coverageType: ["medical"],
          serviceTypeCodes: ["30"],
          payer: { name: payer.name },
          member: {
            memberId: "TEST-MEMBER",
            fullName: { firstName: "Test", lastName: "Event" },
            birthDate: "1900-01-01",
          },
          plan: { name: "Test plan", groupNumber: "TEST-GROUP", groupName: "Test group", insuranceTypeCodes: ["PR"] },
          benefits: [{ type: "copay", level: "individual", network: "in", amount: "30.00" }],
        },
        network: { status: "INDETERMINATE", rules: [] },
      },
    ],
  };
  const { externalReference, ...rest } = entity;
  return { event: healthLookupEvent, test: true, ...rest, externalReference, sentAt };
}
