/** The state IDs that the sandbox's wallet app holds. */
import { primaryPerson, type SandboxAddress } from "../people.ts";
import type { TestState } from "./authority.ts";

/** A test person's state ID. */
export type TestStateId = {
  id: string;
  state: TestState;
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD. */
  birthDate: string;
  sex: 1 | 2;
  address: SandboxAddress;
};

const [home] = primaryPerson.addresses;
const { firstName, lastName, birthDate } = primaryPerson;
const us = (line1: string, city: string, state: TestState, zipCode: string): SandboxAddress => ({
  ...{ line1, city, state, zipCode, country: "US" },
});

export const testStateIds: readonly TestStateId[] = [
  { id: "california", state: "CA", firstName, lastName, birthDate, sex: 1, address: home ?? us("", "", "CA", "") },
  {
    ...{ id: "moved", state: "CA", firstName, lastName, birthDate, sex: 1 },
    address: us("740 Market St", "San Francisco", "CA", "94102"),
  },
  {
    ...{ id: "renamed", state: "CA", firstName, lastName: "Hall", birthDate, sex: 1 },
    address: home ?? us("", "", "CA", ""),
  },
  {
    ...{ id: "arizona", state: "AZ", firstName: "Monica", lastName: "Hall", birthDate: "1987-03-14", sex: 2 },
    address: us("2104 E Camelback Rd", "Phoenix", "AZ", "85016"),
  },
  {
    ...{ id: "colorado", state: "CO", firstName: "Erlich", lastName: "Bachman", birthDate: "1981-06-02", sex: 1 },
    address: us("1400 Larimer St", "Denver", "CO", "80202"),
  },
  {
    ...{ id: "georgia", state: "GA", firstName: "Dinesh", lastName: "Chugtai", birthDate: "1990-11-23", sex: 1 },
    address: us("85 Peachtree St NE", "Atlanta", "GA", "30303"),
  },
  {
    ...{ id: "newYork", state: "NY", firstName: "Laurie", lastName: "Bream", birthDate: "1975-09-30", sex: 2 },
    address: us("350 5th Ave", "New York", "NY", "10118"),
  },
];
