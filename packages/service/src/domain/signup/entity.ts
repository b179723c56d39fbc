import type { OneClickEntity, VerificationMethod } from "@countersign/contract/entity";
import { assemble } from "../credential/assemble.ts";
import type { Brand } from "../deps.ts";
import type { OneClick, OneClickFacts, PhoneMethod } from "./one-click.ts";
import { riskSignals } from "./risk.ts";

/** The identifiers of a 1-Click and how each was verified. An email is never verified here, so its method is null. */
export function identifiersOf(facts: Pick<OneClickFacts, "phone" | "email">, phoneMethod: PhoneMethod) {
  const identifiers: Record<string, string> = { phone: facts.phone };
  const verificationMethod: Record<string, VerificationMethod> = { phone: phoneMethod };
  if (facts.email !== undefined) {
    identifiers.email = facts.email;
    verificationMethod.email = null;
  }
  return { identifiers, verificationMethod };
}

/** Builds a 1ClickEntity in the brand's formats. A declined 1-Click has only identifiers and their metadata. */
export function entityOf(
  brand: Brand,
  { facts, phoneMethod, state }: Pick<OneClick, "facts" | "phoneMethod" | "state">,
): OneClickEntity {
  const { identifiers, verificationMethod } = identifiersOf(facts, phoneMethod);
  const identifierFacts = {
    verificationMethod,
    ...(facts.risk === null ? {} : { riskSignals: riskSignals(facts.risk, brand, facts) }),
  };
  if (state === "declined") return { identifiers, metadata: { identifiers: identifierFacts } };
  const { credentials, metadata } = assemble(facts.credentials, brand.settings.credentialFormats);
  return { identifiers, credentials, metadata: { identifiers: identifierFacts, credentials: metadata } };
}
