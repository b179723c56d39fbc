/** The names of parts of values for the browser's autofill. */
export const autoComplete: Readonly<Record<string, string>> = {
  firstName: "given-name",
  middleName: "additional-name",
  lastName: "family-name",
  line1: "address-line1",
  line2: "address-line2",
  city: "address-level2",
  state: "address-level1",
  zipCode: "postal-code",
  country: "country",
  email: "email",
  birthDate: "bday",
  employerName: "organization",
};
