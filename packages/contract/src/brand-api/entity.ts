import type { Static } from "typebox";
import { ownIssuerNote } from "../credential/credential.ts";
import { described, mapOf, t } from "../primitives.ts";
import { RiskSignals } from "./risk.ts";

const sourceMethods = [
  "credit_bureau",
  "data_bureau",
  "phone_carrier",
  "otp",
  "customer_otp",
  "self_attested",
] as const;
/** How a source verified a value; `null` if unknown. */
export const SourceMethod = t.Unsafe<(typeof sourceMethods)[number] | null>({ enum: [...sourceMethods, null] });
export type SourceMethod = Static<typeof SourceMethod>;

const verificationMethods = [...sourceMethods, "government_id"] as const;
/**
 * How an identifier or a value was verified; `null` if unknown. Brands read `government_id` only if their setting
 * `governmentId.reported` is on, and otherwise `self_attested`.
 */
export const VerificationMethod = t.Unsafe<(typeof verificationMethods)[number] | null>({
  enum: [...verificationMethods, null],
});
export type VerificationMethod = Static<typeof VerificationMethod>;

/** A JSON value that mirrors the shape of `credentials`: leaves, objects of leaves, arrays of either. */
export type Mirror<Leaf> = Leaf | Mirror<Leaf>[] | { [key: string]: Mirror<Leaf> };

const Credentials = t.Unsafe<Record<string, Mirror<string>>>({
  type: "object",
  additionalProperties: true,
  description:
    "Keyed by credential key (`fullName`, `birthDate`, …). A string; an array of strings with `multi`; an object with `children`; an array of objects with both.",
});
const MirrorMap = <Leaf>(description: string) =>
  t.Unsafe<Record<string, Mirror<Leaf>>>({ type: "object", additionalProperties: true, description });

/**
 * Facts about each credential: six maps with the same shape and order as `credentials`, and a seventh if a value comes
 * from a state ID and the brand's settings report it.
 */
export const CredentialMetadata = t.Object({
  id: MirrorMap<string>("UUID of each value"),
  verificationMethod: MirrorMap<VerificationMethod>("How each value was verified"),
  status: MirrorMap<"valid" | "revoked">("`valid` or `revoked`"),
  issuerUuid: MirrorMap<string>(`UUID of the issuing brand, or of a source. ${ownIssuerNote}`),
  issuanceDate: MirrorMap<number>("When each value was issued, in Unix milliseconds"),
  expirationDate: MirrorMap<number | null>("When each value expires, in Unix milliseconds; null for never"),
  issuingAuthority: t.Optional(
    MirrorMap<string | null>(
      "The authority that issued the state ID of each `government_id` value, such as `California Department of Motor Vehicles`; null for other values. Only with the setting `governmentId.reported`, and if a value comes from a state ID",
    ),
  ),
});
export type CredentialMetadata = Static<typeof CredentialMetadata>;

export const Identifiers = mapOf(t.String(), "Keyed by identifier: `phone`, `email`");
/** How each identifier was verified. */
export const IdentifierMethods = mapOf(VerificationMethod, "Keyed by identifier: `phone`, `email`");

/** A person's data and where it comes from. `credentials` is absent if the person declined to share. */
export const OneClickEntity = t.Object({
  identifiers: Identifiers,
  credentials: t.Optional(Credentials),
  metadata: described(
    t.Object({
      identifiers: described(
        t.Object({
          verificationMethod: IdentifierMethods,
          riskSignals: t.Optional(described(RiskSignals, "The risk of the identifiers.")),
        }),
        "Facts about the identifiers.",
      ),
      credentials: t.Optional(described(CredentialMetadata, "Facts about each value.")),
    }),
    "Where the data comes from, and how risky the identifiers are.",
  ),
});
export type OneClickEntity = Static<typeof OneClickEntity>;
