// Generated from docs/api/v2.json: `npm run generate` writes it.

/** An object for an atomic type, an array of children for a composite type. */
export type GivenData =
  | Record<string, unknown>
  | {
      /** A type of the schema library (`GET /jsonSchema`) */
      type: string;
      /** An object for an atomic type, an array of children for a composite type. */
      data:
        | Record<string, unknown>
        | {
            /** A type of the schema library (`GET /jsonSchema`) */
            type: string;
            /** The value: one key, as in the type's schema. */
            data: Record<string, unknown>;
          }[];
    }[];

export type IssuedCredential = {
  /** The credential's id. */
  id: string;
  /** A type of the schema library (`GET /jsonSchema`) */
  type: string;
  /** When the credential was issued, in Unix milliseconds, as text. */
  issuanceDate: string;
  /** When the credential expires, in Unix milliseconds, as text; `null` if never. */
  expirationDate: string | null;
  /** Whether the credential can be shared (`valid`) or is revoked. */
  status: "valid" | "revoked";
  /** UUID of the issuing brand */
  issuerUuid: string;
  /** When the credential was stored, in Unix milliseconds, as text. */
  createdAt: string;
  /** When the credential was last changed, in Unix milliseconds, as text. */
  updatedAt: string;
  /** The value of an atomic type, or the children of a composite type. */
  data:
    | Record<string, string>
    | {
        /** The credential's id. */
        id: string;
        /** A type of the schema library (`GET /jsonSchema`) */
        type: string;
        /** When the credential was issued, in Unix milliseconds, as text. */
        issuanceDate: string;
        /** When the credential expires, in Unix milliseconds, as text; `null` if never. */
        expirationDate: string | null;
        /** Whether the credential can be shared (`valid`) or is revoked. */
        status: "valid" | "revoked";
        /** UUID of the issuing brand */
        issuerUuid: string;
        /** When the credential was stored, in Unix milliseconds, as text. */
        createdAt: string;
        /** When the credential was last changed, in Unix milliseconds, as text. */
        updatedAt: string;
        /** The value of an atomic type, or the children of a composite type. */
        data:
          | Record<string, string>
          | {
              /** The credential's id. */
              id: string;
              /** A type of the schema library (`GET /jsonSchema`) */
              type: string;
              /** When the credential was issued, in Unix milliseconds, as text. */
              issuanceDate: string;
              /** When the credential expires, in Unix milliseconds, as text; `null` if never. */
              expirationDate: string | null;
              /** Whether the credential can be shared (`valid`) or is revoked. */
              status: "valid" | "revoked";
              /** UUID of the issuing brand */
              issuerUuid: string;
              /** When the credential was stored, in Unix milliseconds, as text. */
              createdAt: string;
              /** When the credential was last changed, in Unix milliseconds, as text. */
              updatedAt: string;
              /** The value, by the key of the type's schema. */
              data: Record<string, string>;
            }[];
      }[];
};
