import { createHmac } from "node:crypto";
import { type CredentialType, compositeChildren } from "@countersign/contract/credential";
import type { VerificationMethod } from "@countersign/contract/entity";
import type { IdentityCredential } from "@countersign/contract/identity-source";
import type { SourcedCredential } from "../../domain/ports.ts";
import { stableUuid } from "../stable-uuid.ts";

/** A credential at any level of nesting. */
type Given = Omit<IdentityCredential, "issuanceDate" | "children"> & { issuanceDate?: number; children?: Given[] };
type Origin = {
  issuerUuid: string;
  /** The key for generated ids, if the source has none. The same value of the same person always gets the same id. */
  secret: string;
  phone: string;
  path: string;
  parent?: { type: CredentialType; method: VerificationMethod; issuanceDate: number; expirationDate: number | null };
};

const childrenOf: Readonly<Record<string, readonly string[]>> = compositeChildren;

/**
 * Converts a source's credential. Null if a part does not belong to its parent, if an atomic type has parts or no
 * value, or if a composite has a value or no parts.
 */
export function sourced(given: Given, origin: Origin): SourcedCredential | null {
  const { type } = given;
  const { parent } = origin;
  const parts = childrenOf[type];
  if (parent !== undefined && childrenOf[parent.type]?.includes(type) !== true) return null;
  const own = {
    type,
    method: given.verificationMethod === undefined ? (parent?.method ?? null) : given.verificationMethod,
    issuanceDate: given.issuanceDate ?? parent?.issuanceDate ?? 0,
    expirationDate: given.expirationDate === undefined ? (parent?.expirationDate ?? null) : given.expirationDate,
  };
  const facts = {
    id: given.id ?? uuidOf(origin, given),
    type,
    verificationMethod: own.method,
    status: "valid" as const,
    issuerUuid: origin.issuerUuid,
    issuanceDate: own.issuanceDate,
    expirationDate: own.expirationDate,
  };
  if (parts === undefined)
    return given.value === undefined || given.children !== undefined ? null : { ...facts, value: given.value };
  if (given.children === undefined || given.value !== undefined) return null;
  const path = `${origin.path}/${type}`;
  const children = given.children.map((child) => sourced(child, { ...origin, path, parent: own }));
  const whole = children.filter((child) => child !== null);
  return whole.length === children.length ? { ...facts, children: whole } : null;
}

function uuidOf({ secret, phone, path }: Origin, given: Given): string {
  const text = JSON.stringify([phone, path, given.type, given.value, given.children, given.issuanceDate]);
  return stableUuid(createHmac("sha256", secret).update(`credential\n${text}`).digest("hex"));
}
