/** Made-up events: what a test sends, and what the dashboard's catalogue of events shows. */
import type { HealthEntity } from "./health.ts";
import type { WebhookEventName } from "./webhook.ts";

/** The body of a made-up event, with every member that a receiver may get and no personal data. */
export function madeUpEvent(event: WebhookEventName, subjectUuid: string, sentAt: number): Record<string, unknown> {
  return event === "1-click.health.lookup"
    ? madeUpLookup(subjectUuid, sentAt)
    : madeUpSignup(event, subjectUuid, sentAt);
}

/** A made-up event about a signup. */
function madeUpSignup(event: WebhookEventName, identityUuid: string, sentAt: number): Record<string, unknown> {
  const reason = event === "1-click.signup.ended" ? { reason: "withdrawn" } : {};
  return { event, test: true, identityUuid, sentAt, ...reason };
}

const payer = { name: "Test payer", vendorId: "V000000", ids: ["TEST"], logoUrl: "https://example.com/payer.svg" };

/**
 * A made-up health lookup event with every member that a receiver may get, and no personal data. `test` is in the
 * signed body, so nobody can add it to a real event or remove it from this one.
 */
function madeUpLookup(healthDataUuid: string, sentAt: number): Record<string, unknown> {
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
  return { event: "1-click.health.lookup", test: true, ...rest, externalReference, sentAt };
}
