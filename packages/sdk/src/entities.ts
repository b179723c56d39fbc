// Generated from docs/api/v2.json: `npm run generate` writes it.

export type CredentialType =
  | "FirstNameCredential"
  | "MiddleNameCredential"
  | "LastNameCredential"
  | "EmailCredential"
  | "PhoneCredential"
  | "BirthDateCredential"
  | "SsnCredential"
  | "GenderCredential"
  | "SexCredential"
  | "NationalityCredential"
  | "CountryResidenceCredential"
  | "FacialImageCredential"
  | "Line1Credential"
  | "Line2Credential"
  | "CityCredential"
  | "StateCredential"
  | "ZipCodeCredential"
  | "CountryCredential"
  | "EmployerNameCredential"
  | "EmploymentStartDateCredential"
  | "TitleCredential"
  | "IncomeRangeCredential"
  | "AmountCredential"
  | "CurrencyCredential"
  | "DocumentTypeCredential"
  | "DocumentNumberCredential"
  | "DocumentImageCredential"
  | "DocumentBackImageCredential"
  | "IssuanceDateCredential"
  | "ExpirationDateCredential"
  | "LineTypeCredential"
  | "LivenessCredential"
  | "MatchCredential"
  | "IdentityCredential"
  | "GovernmentIdTypeCredential"
  | "GovernmentIdStateCredential"
  | "GovernmentIdNumberCredential"
  | "GovernmentIdIssuanceDateCredential"
  | "GovernmentIdExpirationDateCredential"
  | "GovernmentIdDocumentImageCredential"
  | "GovernmentIdDocumentBackImageCredential"
  | "IncomeCurrencyCredential"
  | "AnnualIncomeRangeCredential"
  | "FullNameCredential"
  | "AddressCredential"
  | "AnnualIncomeCredential"
  | "EmployerCredential"
  | "GovernmentIdCredential"
  | "PhoneInfoCredential";

export type GivenData =
  | Record<string, unknown>
  | {
      /** A type of the schema library (`GET /jsonSchema`) */
      type: string;
      data:
        | Record<string, unknown>
        | {
            /** A type of the schema library (`GET /jsonSchema`) */
            type: string;
            /** An atomic type's data: one key, as in its schema */
            data: Record<string, unknown>;
          }[];
    }[];

/** Keyed by identifier: `phone`, `email` */
export type Identifiers = Record<string, string>;

/** Keyed by identifier: `phone`, `email` */
export type IdentifierMethods = Record<
  string,
  "credit_bureau" | "data_bureau" | "phone_carrier" | "otp" | "customer_otp" | "self_attested" | null
>;

export type OneClickRequest = {
  /** UUID v4 */
  identityUuid?: string;
  /** UUID v4 */
  verificationUuid?: string;
  /** E.164, US numbers only (`+1` and ten digits) */
  phone?: string;
  deviceIp?: string;
  email?: string;
  /** yyyy-MM-dd */
  birthDate?: string;
  ssn4?: string;
  fullName?: { firstName?: string; middleName?: string; lastName?: string };
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string; country?: string };
  credentialRequests?: CredentialRequest[];
  /** Hosted only: the word after 1-Click, and the text below it */
  content?: { title?: "Signup" | "Login" | "Verify" | "Apply"; description?: string };
  /** Hosted only: the URL to which the person returns; the settings must allow it */
  redirectUrl?: string;
};

export type OneClickEntity = {
  identifiers: Identifiers;
  /**
   * Keyed by credential key (`fullName`, `birthDate`, …). A string; an array of strings with `multi`; an object
   * with `children`; an array of objects with both.
   */
  credentials?: Record<string, unknown>;
  metadata: {
    identifiers: { verificationMethod: IdentifierMethods; riskSignals?: RiskSignals };
    credentials?: {
      /** UUID of each value */
      id: Record<string, unknown>;
      /** How each value came to be trusted */
      verificationMethod: Record<string, unknown>;
      /** `valid` or `revoked` */
      status: Record<string, unknown>;
      /**
       * UUID of the issuing brand, or of a source. The service's own sources are
       * `5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90`; in production, a source that the operator connected carries the UUID
       * that the operator gave it.
       */
      issuerUuid: Record<string, unknown>;
      /** Unix time, milliseconds */
      issuanceDate: Record<string, unknown>;
      /** Unix time, milliseconds, or null where there is none */
      expirationDate: Record<string, unknown>;
    };
  };
};

export type CredentialRequest = {
  type: CredentialType;
  mandatory?: "yes" | "no" | "if_available";
  /** Shown to the user on the form field */
  description?: string;
  allowUserInput?: boolean;
  /** Return up to three values, newest first, always as an array */
  multi?: boolean;
  /**
   * Acceptable issuers; empty: all. The service's own sources are `5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90`; in
   * production, a source that the operator connected carries the UUID that the operator gave it.
   */
  issuers?: string[];
  /** v1 only, deprecated in favor of `mandatory` */
  required?: boolean;
  children?: {
    type: CredentialType;
    mandatory?: "yes" | "no" | "if_available";
    /** Shown to the user on the form field */
    description?: string;
    allowUserInput?: boolean;
    /** Return up to three values, newest first, always as an array */
    multi?: boolean;
    /**
     * Acceptable issuers; empty: all. The service's own sources are `5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90`; in
     * production, a source that the operator connected carries the UUID that the operator gave it.
     */
    issuers?: string[];
    /** v1 only, deprecated in favor of `mandatory` */
    required?: boolean;
    children?: {
      type: CredentialType;
      mandatory?: "yes" | "no" | "if_available";
      /** Shown to the user on the form field */
      description?: string;
      allowUserInput?: boolean;
      /** Return up to three values, newest first, always as an array */
      multi?: boolean;
      /**
       * Acceptable issuers; empty: all. The service's own sources are `5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90`; in
       * production, a source that the operator connected carries the UUID that the operator gave it.
       */
      issuers?: string[];
      /** v1 only, deprecated in favor of `mandatory` */
      required?: boolean;
    }[];
  }[];
};

export type IssuedCredential = {
  /** UUID v4 */
  id: string;
  /** A type of the schema library (`GET /jsonSchema`) */
  type: string;
  /** Unix time, milliseconds, as text */
  issuanceDate: string;
  expirationDate: string | null;
  status: "valid" | "revoked";
  /** UUID of the issuing brand */
  issuerUuid: string;
  /** Unix time, milliseconds, as text */
  createdAt: string;
  /** Unix time, milliseconds, as text */
  updatedAt: string;
  data:
    | Record<string, string>
    | {
        /** UUID v4 */
        id: string;
        /** A type of the schema library (`GET /jsonSchema`) */
        type: string;
        /** Unix time, milliseconds, as text */
        issuanceDate: string;
        expirationDate: string | null;
        status: "valid" | "revoked";
        /** UUID of the issuing brand */
        issuerUuid: string;
        /** Unix time, milliseconds, as text */
        createdAt: string;
        /** Unix time, milliseconds, as text */
        updatedAt: string;
        data:
          | Record<string, string>
          | {
              /** UUID v4 */
              id: string;
              /** A type of the schema library (`GET /jsonSchema`) */
              type: string;
              /** Unix time, milliseconds, as text */
              issuanceDate: string;
              expirationDate: string | null;
              status: "valid" | "revoked";
              /** UUID of the issuing brand */
              issuerUuid: string;
              /** Unix time, milliseconds, as text */
              createdAt: string;
              /** Unix time, milliseconds, as text */
              updatedAt: string;
              data: Record<string, string>;
            }[];
      }[];
};

export type RiskSignals = {
  overall: {
    score: number;
    level: "low" | "medium-low" | "medium" | "medium-high" | "high";
    recommendation: "allow" | "flag" | "block";
    reasonCodes?: string[];
  };
  phone?: { carrier?: { id: number; name: string }; reasonCodes?: string[] };
  email?: { reasonCodes: string[] };
  deviceIp?: { reasonCodes: string[] };
};

export type SessionRequest = {
  email?: string;
  /** yyyy-MM-dd */
  birthDate?: string;
  ssn4?: string;
  fullName?: { firstName: string; middleName?: string; lastName?: string };
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string; country?: string };
  /** UUID v4 */
  verificationUuid?: string;
  /** E.164, US numbers only (`+1` and ten digits) */
  phone?: string;
  deviceIp?: string;
};

export type VerificationEntity = {
  /** UUID v4 */
  uuid: string;
  deviceIp?: string;
  /** E.164, US numbers only */
  phone?: string;
  channel: "textToSignup" | "autofill" | "silent" | "sms";
  format?: "code" | "link" | "codeAndLink" | "linkAndCode";
  status: "pending" | "sending" | "delivered" | "verified" | "expired" | "failed";
  /** Whether the phone can currently be considered verified */
  verified: boolean;
  /** Unix time, milliseconds */
  createdAt: number;
  /** Unix time, milliseconds */
  expiresAt: number;
  /** Unix time, milliseconds */
  deliveredAt?: number;
  /** Unix time, milliseconds */
  verifiedAt?: number;
  attemptsRemaining?: number;
};
