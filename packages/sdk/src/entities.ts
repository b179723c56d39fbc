// Generated from docs/api/v2.json: `npm run generate` writes it.

import type { Credentials, CredentialType, FactsOf } from "./credentials.ts";

/** The carrier confirms a given phone. */
export type DeviceChannel = {
  /** Whether the channel can be used now. */
  available: boolean;
  /** Whether the brand may use the channel, by its settings and the operator's approval. */
  brandApproved: boolean;
  /** Whether a carrier knows this IP address. */
  deviceIpEligible: boolean;
};

/** Keyed by identifier: `phone`, `email` */
export type Identifiers = Record<string, string>;

/** Keyed by identifier: `phone`, `email` */
export type IdentifierMethods = Record<
  string,
  "credit_bureau" | "data_bureau" | "phone_carrier" | "otp" | "customer_otp" | "self_attested" | "government_id" | null
>;

export type OneClickRequest = {
  /**
   * Continues one of your earlier 1-Clicks, after OCE011 or to use its data again. Once it has data, it takes no
   * other `credentialRequests`.
   */
  identityUuid?: string;
  /** A verification that succeeded. It proves the phone. */
  verificationUuid?: string;
  /** The person's phone. US numbers only: `+1` and ten digits. */
  phone?: string;
  /** The IP address of the person's device, for the risk score. */
  deviceIp?: string;
  /** The person's email address. */
  email?: string;
  /** The person's birth date, yyyy-MM-dd. */
  birthDate?: string;
  /** The last four digits of the person's social security number. */
  ssn4?: string;
  /** The person's name. Only `firstName` is compared with the records. */
  fullName?: {
    /** First name. */
    firstName?: string;
    /** Middle name. */
    middleName?: string;
    /** Last name. */
    lastName?: string;
  };
  /** The person's address. */
  address?: {
    /** Street and number. */
    line1?: string;
    /** Apartment, suite or unit. */
    line2?: string;
    /** City. */
    city?: string;
    /** State. */
    state?: string;
    /** Five digits, or five and four with a hyphen. */
    zipCode?: string;
    /** Country. */
    country?: string;
  };
  /** What you ask for. Default: the brand's settings. */
  credentialRequests?: CredentialRequest[];
  /** Hosted only: the word after 1-Click, and the text below it */
  content?: {
    /** The word after 1-Click. */
    title?: "Signup" | "Login" | "Verify" | "Apply";
    /** A text of yours below the title. */
    description?: string;
  };
  /** Hosted only: the URL to which the person returns; the settings must allow it */
  redirectUrl?: string;
};

export type OneClickEntity<Shared = Credentials> = {
  /** Keyed by identifier: `phone`, `email` */
  identifiers: Identifiers;
  /**
   * Keyed by credential key (`fullName`, `birthDate`, …). A string; an array of strings with `multi`; an object
   * with `children`; an array of objects with both.
   */
  credentials?: Shared;
  /** Where the data comes from, and how risky the identifiers are. */
  metadata: {
    /** Facts about the identifiers. */
    identifiers: {
      /** Keyed by identifier: `phone`, `email` */
      verificationMethod: IdentifierMethods;
      /** The risk of the identifiers. */
      riskSignals?: RiskSignals;
    };
    /** Facts about each value. */
    credentials?: {
      /** UUID of each value */
      id: FactsOf<Shared, string>;
      /** How each value was verified */
      verificationMethod: FactsOf<Shared, IdentifierMethods[string]>;
      /** `valid` or `revoked` */
      status: FactsOf<Shared, "valid" | "revoked">;
      /**
       * UUID of the issuing brand, or of a source. The service's own sources are
       * `5e2a5bb4-6f0e-4d9c-9c43-2f6d1a7b8c90`; in production, a source that the operator connected carries the UUID
       * that the operator gave it.
       */
      issuerUuid: FactsOf<Shared, string>;
      /** When each value was issued, in Unix milliseconds */
      issuanceDate: FactsOf<Shared, number>;
      /** When each value expires, in Unix milliseconds; null for never */
      expirationDate: FactsOf<Shared, number | null>;
      /**
       * The authority that issued the state ID of each `government_id` value, such as `California Department of Motor
       * Vehicles`; null for other values. Only with the setting `governmentId.reported`, and if a value comes from a
       * state ID
       */
      issuingAuthority?: Record<string, unknown>;
    };
  };
};

export type CredentialRequest = {
  /** The credential type. */
  type: CredentialType;
  /**
   * `yes`: the 1-Click fails without the value (of a composite type: without any part). `if_available`: on our
   * screens, the person may correct a value that was found, but not leave it out. `no`: the person may leave it
   * out. Default: `no`.
   */
  mandatory?: "yes" | "no" | "if_available";
  /** Shown to the user on the form field */
  description?: string;
  /** Whether the person may type or change the value. Default: `false`. */
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
  /**
   * The parts of a composite type that you ask for. The value is then an object with these parts. Empty or
   * missing: all of them, as one line of text.
   */
  children?: {
    /** The credential type. */
    type: CredentialType;
    /**
     * `yes`: the 1-Click fails without the value (of a composite type: without any part). `if_available`: on our
     * screens, the person may correct a value that was found, but not leave it out. `no`: the person may leave it
     * out. Default: `no`.
     */
    mandatory?: "yes" | "no" | "if_available";
    /** Shown to the user on the form field */
    description?: string;
    /** Whether the person may type or change the value. Default: `false`. */
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
    /** The parts of this child that you ask for. */
    children?: {
      /** The credential type. */
      type: CredentialType;
      /**
       * `yes`: the 1-Click fails without the value (of a composite type: without any part). `if_available`: on our
       * screens, the person may correct a value that was found, but not leave it out. `no`: the person may leave it
       * out. Default: `no`.
       */
      mandatory?: "yes" | "no" | "if_available";
      /** Shown to the user on the form field */
      description?: string;
      /** Whether the person may type or change the value. Default: `false`. */
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

export type RiskSignals = {
  /** The risk of all identifiers together. */
  overall: {
    /** 0 is no risk, 1000 is the highest risk. Above 600 the person is refused. */
    score: number;
    /** The score in words. Each level spans 200 points. */
    level: "low" | "medium-low" | "medium" | "medium-high" | "high";
    /** What the score suggests: `allow`, `flag` for a closer look, or `block`. */
    recommendation: "allow" | "flag" | "block";
    /**
     * Codes that explain the score. `OCR1…` is about everything, `OCR2…` to `OCR4…` about the phone, `OCR5…` about
     * the IP address, `OCR6…` about the email address.
     */
    reasonCodes?: string[];
  };
  /** The risk of the phone number. An add-on. */
  phone?: {
    /** The mobile carrier of the number. An add-on. */
    carrier?: {
      /** The carrier's number in the source's list. */
      id: number;
      /** The carrier's name. */
      name: string;
    };
    /**
     * Codes that explain the score. `OCR1…` is about everything, `OCR2…` to `OCR4…` about the phone, `OCR5…` about
     * the IP address, `OCR6…` about the email address.
     */
    reasonCodes?: string[];
  };
  /** The risk of the email address. An add-on. */
  email?: {
    /**
     * Codes that explain the score. `OCR1…` is about everything, `OCR2…` to `OCR4…` about the phone, `OCR5…` about
     * the IP address, `OCR6…` about the email address.
     */
    reasonCodes: string[];
  };
  /** The risk of the device's IP address. An add-on. */
  deviceIp?: {
    /**
     * Codes that explain the score. `OCR1…` is about everything, `OCR2…` to `OCR4…` about the phone, `OCR5…` about
     * the IP address, `OCR6…` about the email address.
     */
    reasonCodes: string[];
  };
};

export type SessionRequest = {
  /** The person's email address. */
  email?: string;
  /** The person's birth date, yyyy-MM-dd. */
  birthDate?: string;
  /** The last four digits of the person's social security number. */
  ssn4?: string;
  /** The person's name. The wallet doesn't ask for it again. */
  fullName?: {
    /** First name. */
    firstName: string;
    /** Middle name. */
    middleName?: string;
    /** Last name. */
    lastName?: string;
  };
  /** The person's address. */
  address?: {
    /** Street and number. */
    line1?: string;
    /** Apartment, suite or unit. */
    line2?: string;
    /** City. */
    city?: string;
    /** State. */
    state?: string;
    /** Five digits, or five and four with a hyphen. */
    zipCode?: string;
    /** Country. */
    country?: string;
  };
  /** A verified verification, instead of `phone`. */
  verificationUuid?: string;
  /** The person's phone, if you verified it. US numbers only: `+1` and ten digits. */
  phone?: string;
  /** The IP address of the person's device, for the carrier channels and the risk score. */
  deviceIp?: string;
};

export type VerificationEntity = {
  /** The verification's id. */
  uuid: string;
  /** The IP address of the person's device. Only for `autofill` and `silent`. */
  deviceIp?: string;
  /** The phone to verify. Absent until the carrier names it. */
  phone?: string;
  /**
   * How the phone is verified: by the carrier (`autofill`, `silent`), by text (`sms`), or by a text that the
   * person sent (`textToSignup`).
   */
  channel: "textToSignup" | "autofill" | "silent" | "sms";
  /** What the text contains. Absent if no text was requested. */
  format?: "code" | "link" | "codeAndLink" | "linkAndCode";
  /** The state. Only `verified` proves the phone; `expired` and `failed` are final. */
  status: "pending" | "sending" | "delivered" | "verified" | "expired" | "failed";
  /** Whether the phone can currently be considered verified */
  verified: boolean;
  /** When the verification began, in Unix milliseconds. */
  createdAt: number;
  /** When it expires, in Unix milliseconds: five minutes after its creation. */
  expiresAt: number;
  /** When the carrier confirmed that the text arrived, in Unix milliseconds. */
  deliveredAt?: number;
  /** When the phone was verified, in Unix milliseconds. */
  verifiedAt?: number;
  /** How many codes can still be tried. */
  attemptsRemaining?: number;
};
