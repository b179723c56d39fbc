/**
 * US area codes that NANPA has put in service and that libphonenumber-js does not know, with the day or year of their
 * first numbers and who announced it. A test fails when the library knows them all.
 */
export const newAreaCodes: ReadonlyMap<string, { since: string; state: string; source: string }> = new Map([
  ["357", { since: "2025-03-26", state: "CA", source: "California Public Utilities Commission" }],
  ["436", { since: "2024-03-01", state: "OH", source: "Public Utilities Commission of Ohio" }],
  ["457", { since: "2025-09-25", state: "LA", source: "Louisiana Public Service Commission" }],
  ["465", { since: "2026", state: "NY", source: "New York Public Service Commission" }],
  [
    "471",
    { since: "2026-01-30", state: "MS", source: "NANPA planning letter, en.wikipedia.org/wiki/Area_codes_662_and_471" },
  ],
  ["483", { since: "2026-02-23", state: "AL", source: "Alabama Public Service Commission" }],
  ["621", { since: "2025-01-23", state: "TX", source: "Public Utility Commission of Texas" }],
  ["624", { since: "2023-11-16", state: "NY", source: "New York Public Service Commission, case 22-C-0358" }],
  ["679", { since: "2025-11-07", state: "MI", source: "Michigan Public Service Commission" }],
  ["729", { since: "2025-09-05", state: "TN", source: "Tennessee Public Utility Commission" }],
  ["837", { since: "2025-01-31", state: "CA", source: "California Public Utilities Commission" }],
  ["861", { since: "2023-02-24", state: "IL", source: "Illinois Commerce Commission" }],
  ["924", { since: "2024-08-30", state: "MN", source: "Minnesota Public Utilities Commission" }],
]);
