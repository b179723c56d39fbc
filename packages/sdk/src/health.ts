// Generated from docs/api/v2.json: `npm run generate` writes it.

/** The health insurance company. */
export type Payer = {
  /** The payer's name. */
  name: string;
  /** `V` and six digits; `GROUP_MEDICARE` and `GROUP_BLUES` are groups */
  vendorId: string;
  /** Element 0 is the primary id */
  ids: string[];
  /** URL of a picture: the payer's initials, or one that the operator chose. */
  logoUrl: string;
  /** Two-letter codes, or `NATIONAL` */
  operatingStates?: string[];
  /** Whether the service can check plans with this payer. */
  eligibilitySupport?: "SUPPORTED" | "ENROLLMENT_REQUIRED" | "NOT_SUPPORTED";
};

export type HealthRequest = {
  /** Default: the brand's setting */
  checkAfterAutofill?: boolean;
  /** The provider for whom the payer is asked. Default: the brand's default provider. */
  provider?: {
    /** Ten digits, including the check digit */
    npi: string;
  };
  /** One of your 1-Clicks. Its data is used where this request has none. */
  identityUuid?: string;
  /** Your own reference. It is returned with the result and in webhooks. */
  externalReference?: string;
  /** The person's name. */
  fullName?: {
    /** First name. */
    firstName: string;
    /** Middle name. */
    middleName?: string;
    /** Last name. */
    lastName: string;
  };
  /** The person's birth date, yyyy-MM-dd. */
  birthDate?: string;
  /** The person's address. */
  address?: {
    /** Street and number. */
    line1?: string;
    /** Apartment, suite or unit. */
    line2?: string;
    /** City. */
    city?: string;
    /** Two-letter code of the state. */
    state?: string;
    /** Five digits. */
    zipCode?: string;
    /** Always `US`. */
    country?: "US";
  };
  /** The person's sex. */
  sex?: "Male" | "Female" | "Non-Binary";
  /** Social security number, nine digits. */
  ssn?: string;
  /** The payer of a known plan. */
  payer?: {
    /** Payer or payer group id */
    id?: string;
    /** Searches; only if the id is unknown */
    name?: string;
  };
  /** The member id of a known plan. It needs `payer`. */
  memberId?: string;
  /** What to ask the payer about. Default: the brand's settings. */
  serviceCodes?: {
    /** X12 service type codes, such as `30`. Empty: the brand's settings. */
    serviceTypeCodes?: string[];
    /** Procedures to ask about. */
    procedureCodes?: {
      /** CPT or HCPCS code */
      code: string;
      /** X12 qualifier of the code. Default: `HC`. */
      qualifier?: "AD" | "CJ" | "HC" | "ID" | "IV" | "N4" | "ZZ";
      /** Up to four modifiers of two characters. */
      modifiers?: string[];
    }[];
  };
  /** Legacy location of `serviceCodes.serviceTypeCodes`. */
  serviceTypeCodes?: string[];
  /** Legacy location of `serviceCodes.procedureCodes`. */
  procedureCodes?: {
    /** CPT or HCPCS code */
    code: string;
    /** X12 qualifier of the code. Default: `HC`. */
    qualifier?: "AD" | "CJ" | "HC" | "ID" | "IV" | "N4" | "ZZ";
    /** Up to four modifiers of two characters. */
    modifiers?: string[];
  }[];
};

export type HealthEntity = {
  /** The lookup's id. */
  healthDataUuid: string;
  /** Your own reference from the request. */
  externalReference?: string;
  /** The state. `SUCCEEDED`, `PARTIAL` and `FAILED` are final. */
  status: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "PARTIAL";
  /** At most two plans, the most likely first */
  results?: {
    /** The member id on the person's card. */
    memberId: string;
    /** The health insurance company. */
    payer: Payer;
    /** Whether the payer's clearinghouse knows the plan, or the person typed it. */
    verificationMethod?: "clearinghouse" | "self_attested";
    /** The kinds of coverage. */
    coverageTypes?: ("medical" | "dental" | "vision")[];
    /** X12 service type codes that the plan covers. */
    serviceTypeCodes?: string[];
    /** Whether the plan is a Medicare plan. */
    isMedicare?: boolean;
    /** The payer's X12 271; only if an eligibility check ran */
    edi_271?: string;
    /** The payer's 271 in plain words. Only if an eligibility check ran. */
    eligibility?: ParsedEdi271;
    /** Whether the plan is in your network. Only if you have network rules and the plan has `eligibility`. */
    network?: {
      /** Whether the plan is in your network. `INDETERMINATE` if no rule decides it. */
      status: "IN_NETWORK" | "OUT_OF_NETWORK" | "INDETERMINATE";
      /** The rules that match. The first one decides. */
      rules: {
        /** The rule's id. */
        uuid?: string;
        /** The rule's name. */
        name?: string;
        /** The status that the rule gives. */
        status: "IN_NETWORK" | "OUT_OF_NETWORK" | "INDETERMINATE";
        /** The rule's notes. */
        notes?: string;
        /** `selfPay`, `priority`, `packageId`, … */
        metadata?: Record<string, string | number | boolean>;
        /** First day on which the rule applies, yyyy-MM-dd. */
        startDate?: string;
        /** First day on which the rule no longer applies, yyyy-MM-dd. */
        endDate?: string;
        /** The rule's conditions. All of them match. */
        conditions: {
          /**
           * What the condition reads: `payerId`, `payerName`, `state`, `insuranceTypeCodes`, `planName`,
           * `relatedEntities`, `groupNumber` or `groupName`.
           */
          key: string;
          /** `EQUAL`, or `INCLUDE` for a part of the text; `NOT_EQUAL` and `NOT_INCLUDE` for the opposite. */
          operator: string;
          /** The condition matches if one of these values does. */
          values: string[];
        }[];
      }[];
    };
  }[];
  /** What went wrong. Only if the status is `PARTIAL` or `FAILED`. */
  errors?: {
    /** What went wrong, in a sentence. */
    message: string;
  }[];
};

export type ParsedEdi271 = {
  /** Whether the plan covers the person today. */
  coverageStatus: "active" | "inactive" | "indeterminate";
  /** The kinds of coverage. */
  coverageType?: ("medical" | "dental" | "vision")[];
  /** X12 service type codes that the plan covers. */
  serviceTypeCodes?: string[];
  /** The payer, as it names itself. */
  payer?: {
    /** The payer's name. */
    name: string;
  };
  /** The member, as the payer knows them. */
  member?: {
    /** The member id at the payer. */
    memberId?: string;
    /** The member's name. */
    fullName?: {
      /** First name. */
      firstName?: string;
      /** Last name. */
      lastName?: string;
    };
    /** The member's birth date, yyyy-MM-dd. */
    birthDate?: string;
    /** The member's sex. */
    sex?: "Male" | "Female";
    /** The member's address. */
    address?: {
      /** Street and number. */
      line1?: string;
      /** Apartment, suite or unit. */
      line2?: string;
      /** City. */
      city?: string;
      /** Two-letter code of the state. */
      state?: string;
      /** ZIP code. */
      zipCode?: string;
    };
  };
  /** The plan. */
  plan?: {
    /** The plan's name. */
    name?: string;
    /** Number of the group that has the plan, such as an employer. */
    groupNumber?: string;
    /** Name of the group. */
    groupName?: string;
    /** X12 insurance type codes. */
    insuranceTypeCodes?: string[];
    /** First day of the coverage, yyyy-MM-dd. */
    effectiveDate?: string;
    /** Last day of the coverage, yyyy-MM-dd. */
    terminationDate?: string;
  };
  /** What the plan pays and what the member pays. */
  benefits?: {
    /** The kind of benefit. */
    type: "deductible" | "outOfPocket" | "copay" | "coinsurance" | "limitation";
    /** X12 service type codes to which the benefit applies. */
    serviceTypeCodes?: string[];
    /** X12 insurance type code. */
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
  /** Contacts for the plan. */
  contacts?: {
    /** Who to contact. */
    name?: string;
    /** X12 service type codes for which the contact is responsible. */
    serviceTypeCodes?: string[];
    /** Phone number. */
    phone?: string;
    /** Fax number. */
    fax?: string;
    /** Email address. */
    email?: string;
    /** Website. */
    url?: string;
  }[];
};
