/** The HTTP interface between this service and an operator's source of identity data. */
import type { Static } from "typebox";
import { VerificationMethod } from "../brand-api/entity.ts";
import { PersonInputs } from "../brand-api/v2.ts";
import { CredentialType } from "../credential/credential.ts";
import { anyOf, Day, Millis, oneOf, Phone, ShortText, Ssn4, t, Uuid } from "../primitives.ts";

const InputName = oneOf("fullName.firstName", "birthDate", "ssn4");
const inputNames = (description: string) => t.Array(InputName, { maxItems: 3, uniqueItems: true, description });

export const IdentityQuestion = t.Object({
  phone: Phone,
  inputs: t.Object({
    email: t.Optional(t.String({ maxLength: 254 })),
    birthDate: t.Optional(Day),
    ssn4: t.Optional(Ssn4),
    fullName: PersonInputs.fullName,
    address: t.Optional(
      t.Object({
        line1: t.Optional(ShortText),
        line2: t.Optional(ShortText),
        city: t.Optional(ShortText),
        state: t.Optional(ShortText),
        zipCode: t.Optional(ShortText),
        country: t.Optional(ShortText),
      }),
    ),
  }),
  compare: inputNames("Inputs to compare with the records. If one differs, the answer is `mismatch`."),
  narrow: inputNames("Inputs that only help to find the person and are never compared."),
});
export type IdentityQuestion = Static<typeof IdentityQuestion>;

const valueLengthMax = 10_000;
const facts = {
  type: CredentialType,
  id: t.Optional(Uuid),
  verificationMethod: t.Optional(VerificationMethod),
  issuanceDate: t.Optional(Millis),
  expirationDate: t.Optional(t.Unsafe<number | null>({ type: ["integer", "null"] })),
};
const value = t.Optional(t.String({ minLength: 1, maxLength: valueLengthMax, description: "Value of an atomic type" }));
const GrandchildCredential = t.Object({ ...facts, value });
const ChildCredential = t.Object({
  ...facts,
  value,
  children: t.Optional(t.Array(GrandchildCredential, { maxItems: 10 })),
});

/** One value of a person. A child inherits the facts that it does not set from its parent. */
export const IdentityCredential = t.Object({
  ...facts,
  issuanceDate: Millis,
  value,
  children: t.Optional(t.Array(ChildCredential, { maxItems: 10, description: "Children of a composite type" })),
});
export type IdentityCredential = Static<typeof IdentityCredential>;

const AboutPhone = { phone: t.String({ maxLength: 20, description: "The requested phone" }) };
const inputs = t.Array(InputName, { minItems: 1, maxItems: 3 });

export const IdentityAnswer = anyOf(
  t.Object({
    ...AboutPhone,
    kind: t.Literal("found"),
    compared: inputNames("Inputs that were compared with the records and match: exactly the given ones of `compare`"),
    credentials: t.Array(IdentityCredential, { maxItems: 100, description: "Newest first within a type" }),
  }),
  t.Object({ ...AboutPhone, kind: t.Literal("needs"), inputs }),
  t.Object({ ...AboutPhone, kind: t.Literal("mismatch"), inputs }),
  t.Object({ ...AboutPhone, kind: t.Literal("unknown") }),
);
export type IdentityAnswer = Static<typeof IdentityAnswer>;
