// Generated from docs/api/v2.json: `npm run generate` writes it.

export type Payer = {
  name: string;
  /** `V` and six digits; `GROUP_MEDICARE` and `GROUP_BLUES` are groups */
  vendorId: string;
  /** Element 0 is the primary id */
  ids: string[];
  logoUrl?: string;
  /** Two-letter codes, or `NATIONAL` */
  operatingStates?: string[];
  eligibilitySupport?: "SUPPORTED" | "ENROLLMENT_REQUIRED" | "NOT_SUPPORTED";
};

export type HealthRequest = {
  /** Default: the brand's setting */
  checkAfterAutofill?: boolean;
  provider?: {
    /** Ten digits, including the check digit */
    npi: string;
  };
  /** UUID v4 */
  identityUuid?: string;
  externalReference?: string;
  fullName?: { firstName: string; middleName?: string; lastName: string };
  /** yyyy-MM-dd */
  birthDate?: string;
  address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string; country?: "US" };
  sex?: "Male" | "Female" | "Non-Binary";
  ssn?: string;
  payer?: {
    /** Payer or payer group id */
    id?: string;
    /** Searches; only if the id is unknown */
    name?: string;
  };
  memberId?: string;
  serviceCodes?: {
    serviceTypeCodes?: string[];
    procedureCodes?: {
      /** CPT or HCPCS code */
      code: string;
      qualifier?: "AD" | "CJ" | "HC" | "ID" | "IV" | "N4" | "ZZ";
      modifiers?: string[];
    }[];
  };
  /** Legacy location of `serviceCodes.serviceTypeCodes` */
  serviceTypeCodes?: string[];
  procedureCodes?: {
    /** CPT or HCPCS code */
    code: string;
    qualifier?: "AD" | "CJ" | "HC" | "ID" | "IV" | "N4" | "ZZ";
    modifiers?: string[];
  }[];
};

export type HealthEntity = {
  /** UUID v4 */
  healthDataUuid: string;
  externalReference?: string;
  status: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "PARTIAL";
  /** At most two plans, the most likely first */
  results?: {
    memberId: string;
    payer: Payer;
    verificationMethod?: "clearinghouse" | "self_attested";
    coverageTypes?: ("medical" | "dental" | "vision")[];
    serviceTypeCodes?: string[];
    isMedicare?: boolean;
    /** The payer's X12 271; only if an eligibility check ran */
    edi_271?: string;
    eligibility?: ParsedEdi271;
    network?: {
      status: "IN_NETWORK" | "OUT_OF_NETWORK" | "INDETERMINATE";
      rules: {
        /** UUID v4 */
        uuid?: string;
        name?: string;
        status: "IN_NETWORK" | "OUT_OF_NETWORK" | "INDETERMINATE";
        notes?: string;
        /** `selfPay`, `priority`, `packageId`, … */
        metadata?: Record<string, string | number | boolean>;
        /** yyyy-MM-dd */
        startDate?: string;
        /** yyyy-MM-dd */
        endDate?: string;
        conditions: { key: string; operator: string; values: string[] }[];
      }[];
    };
  }[];
  errors?: { message: string }[];
};

export type ParsedEdi271 = {
  coverageStatus: "active" | "inactive" | "indeterminate";
  coverageType?: ("medical" | "dental" | "vision")[];
  serviceTypeCodes?: string[];
  payer?: { name: string };
  member?: {
    memberId?: string;
    fullName?: { firstName?: string; lastName?: string };
    /** yyyy-MM-dd */
    birthDate?: string;
    sex?: "Male" | "Female";
    address?: { line1?: string; line2?: string; city?: string; state?: string; zipCode?: string };
  };
  plan?: {
    name?: string;
    groupNumber?: string;
    groupName?: string;
    insuranceTypeCodes?: string[];
    /** yyyy-MM-dd */
    effectiveDate?: string;
    /** yyyy-MM-dd */
    terminationDate?: string;
  };
  benefits?: {
    type: "deductible" | "outOfPocket" | "copay" | "coinsurance" | "limitation";
    serviceTypeCodes?: string[];
    insuranceTypeCode?: string;
    /** `individual` or `family` */
    level?: string;
    /** `in` or `out` */
    network?: string;
    /** Decimal with at least two places */
    amount?: string;
    /** The remaining part of `amount` */
    remaining?: string;
    /** A fraction: `0.20` */
    percent?: string;
  }[];
  contacts?: {
    name?: string;
    serviceTypeCodes?: string[];
    phone?: string;
    fax?: string;
    email?: string;
    url?: string;
  }[];
};
