/** The HTTP interface between this service and an operator's source of identity data. */
import type { Static } from "typebox";
import { SourceMethod } from "../brand-api/entity.ts";
import { PersonInputs } from "../brand-api/v2.ts";
import { CredentialType } from "../credential/credential.ts";
import { ChallengeInput, challengeInputs } from "../errors.ts";
import { anyOf, Day, described, Millis, Phone, ShortText, Ssn4, t, Uuid } from "../primitives.ts";

const most = challengeInputs.length;
const inputNames = (description: string) => t.Array(ChallengeInput, { maxItems: most, uniqueItems: true, description });

export const IdentityQuestion = t.Object({
  phone: described(Phone, "The person's phone."),
  inputs: described(
    t.Object({
      email: t.Optional(t.String({ maxLength: 254, description: "The person's email address." })),
      birthDate: t.Optional(described(Day, "The person's birth date, yyyy-MM-dd.")),
      ssn4: t.Optional(described(Ssn4, "The last four digits of the person's social security number.")),
      fullName: PersonInputs.fullName,
      address: t.Optional(
        described(
          t.Object({
            line1: t.Optional(described(ShortText, "Street and number.")),
            line2: t.Optional(described(ShortText, "Apartment, suite or unit.")),
            city: t.Optional(described(ShortText, "City.")),
            state: t.Optional(described(ShortText, "State.")),
            zipCode: t.Optional(described(ShortText, "ZIP code.")),
            country: t.Optional(described(ShortText, "Country.")),
          }),
          "The person's address.",
        ),
      ),
    }),
    "What the brand or the person gave.",
  ),
  compare: inputNames("Inputs to compare with the records. If one differs, the answer is `mismatch`."),
  narrow: inputNames("Inputs that only help to find the person and are never compared."),
});
export type IdentityQuestion = Static<typeof IdentityQuestion>;

const valueLengthMax = 10_000;
const facts = {
  type: described(CredentialType, "The type of the credential."),
  id: t.Optional(described(Uuid, "Your id of the value. Default: one that the service creates.")),
  verificationMethod: t.Optional(described(SourceMethod, "How the value was verified.")),
  issuanceDate: t.Optional(
    described(Millis, "When the value was issued, in Unix milliseconds. A child has its parent's."),
  ),
  expirationDate: t.Optional(
    described(
      t.Unsafe<number | null>({ type: ["integer", "null"] }),
      "When the value expires, in Unix milliseconds; `null` for never.",
    ),
  ),
};
const value = t.Optional(t.String({ minLength: 1, maxLength: valueLengthMax, description: "Value of an atomic type" }));
const GrandchildCredential = t.Object({ ...facts, value });
const ChildCredential = t.Object({
  ...facts,
  value,
  children: t.Optional(described(t.Array(GrandchildCredential, { maxItems: 10 }), "Children of a composite type.")),
});

/** One value of a person. A child inherits the facts that it does not set from its parent. */
export const IdentityCredential = t.Object({
  ...facts,
  issuanceDate: described(Millis, "When the value was issued, in Unix milliseconds."),
  value,
  children: t.Optional(t.Array(ChildCredential, { maxItems: 10, description: "Children of a composite type" })),
});
export type IdentityCredential = Static<typeof IdentityCredential>;

const AboutPhone = { phone: t.String({ maxLength: 20, description: "The requested phone" }) };
const inputs = t.Array(ChallengeInput, { minItems: 1, maxItems: most });

export const IdentityAnswer = anyOf(
  t.Object({
    ...AboutPhone,
    kind: described(t.Literal("found"), "The person was found."),
    compared: inputNames("Inputs that were compared with the records and match: exactly the given ones of `compare`"),
    credentials: t.Array(IdentityCredential, { maxItems: 100, description: "Newest first within a type" }),
  }),
  t.Object({
    ...AboutPhone,
    kind: described(t.Literal("needs"), "One of `inputs` would help to identify the person."),
    inputs: described(inputs, "Inputs of which any one would help."),
  }),
  t.Object({
    ...AboutPhone,
    kind: described(t.Literal("mismatch"), "Some of the compared inputs differ from the records."),
    inputs: described(inputs, "Inputs that differ."),
  }),
  t.Object({ ...AboutPhone, kind: described(t.Literal("unknown"), "No person has this phone.") }),
);
export type IdentityAnswer = Static<typeof IdentityAnswer>;
