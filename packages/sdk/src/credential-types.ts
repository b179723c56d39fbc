// Generated from docs/api/v2.json: `npm run generate` writes it.

/** The data of each credential type that has one value. Every value is text. */
export type CredentialValues = {
  FirstNameCredential: { firstName: string };
  MiddleNameCredential: { middleName: string };
  LastNameCredential: { lastName: string };
  EmailCredential: { email: string };
  PhoneCredential: { phone: string };
  BirthDateCredential: { birthDate: string };
  SsnCredential: { ssn: string };
  GenderCredential: { gender: "Male" | "Female" | "Non-Binary" | "Other" };
  SexCredential: { sex: "Male" | "Female" | "Non-Binary" | "Other" };
  NationalityCredential: { nationality: string };
  CountryResidenceCredential: { country: string };
  FacialImageCredential: { image: string };
  Line1Credential: { line1: string };
  Line2Credential: { line2: string };
  CityCredential: { city: string };
  StateCredential: { state: string };
  ZipCodeCredential: { zipCode: string };
  CountryCredential: { country: string };
  EmployerNameCredential: { employer: string };
  EmploymentStartDateCredential: { startDate: string };
  TitleCredential: { title: string };
  IncomeRangeCredential: { incomeRange: string };
  AmountCredential: { amount: string };
  CurrencyCredential: { currency: string };
  DocumentTypeCredential: {
    documentType:
      | "Drivers License"
      | "Passport"
      | "State ID"
      | "Military ID"
      | "National ID"
      | "Birth Certificate"
      | "Voter Registration Card"
      | "Other";
  };
  DocumentNumberCredential: { idNumber: string };
  DocumentImageCredential: { documentImage: string };
  DocumentBackImageCredential: { documentBackImage: string };
  IssuanceDateCredential: { issuanceDate: string };
  ExpirationDateCredential: { expirationDate: string };
  LineTypeCredential: { type: "Mobile" | "Landline" | "FixedVoIP" | "NonFixedVoIP" | "Unknown" | "Unlisted" };
  LivenessCredential: { confidence: "Very High" | "High" | "Medium" | "Low" | "Very Low" };
  MatchCredential: { confidence: "Very High" | "High" | "Medium" | "Low" | "Very Low" };
  IdentityCredential: Record<never, never>;
  GovernmentIdTypeCredential: {
    documentType:
      | "Drivers License"
      | "Passport"
      | "State ID"
      | "Military ID"
      | "National ID"
      | "Birth Certificate"
      | "Voter Registration Card"
      | "Other";
  };
  GovernmentIdStateCredential: { state: string };
  GovernmentIdNumberCredential: { idNumber: string };
  GovernmentIdIssuanceDateCredential: { issuanceDate: string };
  GovernmentIdExpirationDateCredential: { expirationDate: string };
  GovernmentIdDocumentImageCredential: { image: string };
  GovernmentIdDocumentBackImageCredential: { image: string };
  IncomeCurrencyCredential: { currency: string };
  AnnualIncomeRangeCredential: { income: string };
};

/** The children of each credential type that has parts. */
export type CredentialChildren = {
  FullNameCredential: "FirstNameCredential" | "MiddleNameCredential" | "LastNameCredential";
  AddressCredential:
    | "Line1Credential"
    | "Line2Credential"
    | "CityCredential"
    | "StateCredential"
    | "ZipCodeCredential"
    | "CountryCredential";
  AnnualIncomeCredential: "CurrencyCredential" | "AmountCredential";
  EmployerCredential:
    | "EmployerNameCredential"
    | "EmploymentStartDateCredential"
    | "TitleCredential"
    | "IncomeRangeCredential"
    | "AnnualIncomeCredential";
  GovernmentIdCredential:
    | "DocumentTypeCredential"
    | "DocumentNumberCredential"
    | "DocumentImageCredential"
    | "DocumentBackImageCredential"
    | "IssuanceDateCredential"
    | "ExpirationDateCredential"
    | "StateCredential";
  PhoneInfoCredential: "PhoneCredential" | "LineTypeCredential";
};
