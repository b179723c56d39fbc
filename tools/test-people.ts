import { ownIssuerUuid } from "@countersign/contract/credential";
import type { TestPerson } from "@countersign/contract/dashboard-start";
import { bundledPayers } from "../packages/service/src/providers/payers/directory.ts";
import { sandboxDevices } from "../packages/service/src/providers/sandbox/carrier.ts";
import {
  anybodysPlans,
  checkPlans,
  gilfoylePlans,
  type SandboxPlan,
  sandboxInsured,
  situations,
} from "../packages/service/src/providers/sandbox/insured.ts";
import {
  addressText,
  primaryPerson,
  sandboxCode,
  testPeople,
} from "../packages/service/src/providers/sandbox/people.ts";
import { listedStateIds } from "../packages/service/src/providers/sandbox/state-id/test-wallet.ts";

/** Generates docs/reference/test-people.md from the tables of the sandbox. */
export function testPeopleMarkdown(): string {
  const all = testPeople();
  const families = headings.map(([family, heading]) => {
    const people = all.filter((person) => person.family === family);
    return `## ${heading}\n\n${table(people)}`;
  });
  return `${[introduction(), ...families, devices(), insured(), stateIds(), provoking].join("\n\n")}\n`;
}

const headings: [TestPerson["family"], string][] = [
  ["inputs", "Required inputs in addition to the phone"],
  ["risk", "Risk"],
  ["credentials", "Differences in the data"],
  ["failures", "Unknown people and failures"],
  ["v2.0", "v2.0 test numbers"],
];

function introduction(): string {
  const { firstName, middleName, lastName, birthDate, ssn, ssn4, email, sex, addresses } = primaryPerson;
  const [address] = addresses;
  return `---
title: Test people
order: 8
---

<!-- Generated from \`people.ts\` and \`insured.ts\` in \`packages/service/src/providers/sandbox\` by \`npm run generate\`. -->

# Test people

This page explains which phones to use in the sandbox, and what each one does.

These phones exist only in the sandbox. Nothing is ever sent to them, and their code is always \`${sandboxCode}\`. All testers
share them, so the own page of these people shows only what they shared with the demo brands. To see your own brand there, use another
phone. They all belong to this person, unless a table says otherwise:

| Detail | Value |
|---|---|
| Name | ${firstName} ${middleName} ${lastName} |
| Birth date | \`${birthDate}\` |
| SSN | \`${ssn}\`, last four \`${ssn4}\` |
| Email | \`${email}\` |
| Sex | ${sex} |
| Address | ${addressText(address)}; with \`multi: true\` and risk signals on, two older ones too |
| Issuer of all values | \`${ownIssuerUuid}\` |

Any other US phone, including your own, returns this person with that number. Its codes are random: read
them from \`GET /sandbox/messages\`. Names are compared without regard to case. All numbers work in every version of the API.

<TableFilter label="Find a phone, an input or an outcome" all copies />`;
}

function table(people: TestPerson[]): string {
  const rows = people.map(({ phone, code: digits, needs, score, outcome }) => [
    `<a id="${phone.slice(1)}"></a>${code(phone)}`,
    code(digits),
    needs,
    String(score),
    outcome,
  ]);
  return rowsText(["Phone", "Code", "Needs", "Risk score", "Outcome"], rows);
}

/** The simulated carrier's answer for each device address. */
function devices(): string {
  const rows = sandboxDevices.map(({ address, eligible, autofill, silent }) => [
    code(address),
    eligible ? "available" : "not available: OCV011",
    eligible ? (autofill ? "works" : "OCV008") : "OCV011",
    eligible ? (silent ? "works" : "OCV010") : "OCV011",
  ]);
  return `## Devices

The channels \`autofill\` and \`silent\` take a device's address in \`deviceIp\`. An address contains its phone:
\`::121:2555:0010\` belongs to \`+12125550010\`. These addresses have a fixed result:

${rowsText(["Address", "Channels", code("autofill"), code("silent")], rows)}

For any other address, \`autofill\` finds \`+12125550010\`, and \`silent\` confirms every phone.`;
}

/** The result of `POST /1-click/health` for each person. */
function insured(): string {
  const rows = sandboxInsured.map(({ name, birthDates, plans }) => [
    name.join(" "),
    birthDates.map(code).join(" or "),
    plans.length === 0 ? "none: `No coverage found`" : plansText(plans),
  ]);
  const checked = gilfoylePlans.map((plan) => [
    "Bertram Gilfoyle",
    code(plan.birthDate),
    planText(plan, "any member id"),
  ]);
  const nowhere = checkPlans.map((plan) => ["anybody", "any", planText(plan, code(plan.memberId))]);
  return `## Insured people

These people are for 1-Click Health. First name, last name and birth date identify a person; case, accents and phone do not matter.
Discovery finds these plans; a lookup returns those whose types the brand's settings name:

${rowsText(["Name", "Birth date", "Plans"], [...rows, ["anybody else", "any", plansText(anybodysPlans)]])}

A check confirms each of these plans by its member id and payer, for any person. It also confirms the following plans, which no
discovery finds. An inactive plan is returned only if its member id was given:

${rowsText(["Name", "Birth date", "Plan"], [...checked, ...nowhere])}

Payers do not know any other member id: \`No coverage found\`. TRICARE is a federal payer, which gets no SSN.`;
}

/** The IDs of the test wallet, and the mistakes that its answers can have. */
function stateIds(): string {
  const { ids, mistakes } = listedStateIds;
  const rows = ids.map(({ name, state, says }) => [name, state, says]);
  const wrong = mistakes.map(({ key, says }) => [code(key), says]);
  return `## State IDs

The test wallet at \`{wallet_url}/demo/state-id\` has these [state IDs](../guides/state-ids.md). To be asked for one, use a phone that lacks a
detail which you require, such as \`+13135550034\` with \`BirthDateCredential\`.

${rowsText(["Name", "State", "What it is for"], rows)}

An answer can have one mistake, and is then refused:

${rowsText(["Mistake", "What is wrong"], wrong)}`;
}

const code = (text: string) => `\`${text}\``;
const plansText = (plans: readonly SandboxPlan[]) =>
  plans.map((plan) => planText(plan, code(plan.memberId))).join("; ");

function planText(plan: SandboxPlan, member: string): string {
  const { payerId, planName, coverage, status, isMedicare, situation } = plan;
  const payer = bundledPayers().payers.find(({ ids }) => ids.includes(payerId));
  const details = [planName, coverage, status, isMedicare === true ? "Medicare" : undefined];
  const special = situation === undefined ? "" : ` (${situations[situation]})`;
  return `${member} at ${payer?.name} (${code(payerId)}): ${details.filter((part) => part !== undefined).join(", ")}${special}`;
}

function rowsText(head: string[], rows: string[][]): string {
  const rule = `|${head.map(() => "---").join("|")}|`;
  return [lineText(head), rule, ...rows.map(lineText)].join("\n");
}
const lineText = (cells: string[]) => `| ${cells.join(" | ")} |`;

const provoking = `## Causing errors

| Code | How |
|---|---|
| OCE002 | Use a phone that is not \`+1\` and ten digits, such as \`+442071838750\` or \`+1212555001\`, or an area code outside the United States, such as \`+14162345678\`. |
| OCE012 | Use a phone of this page that has data, with a wrong \`birthDate\` or \`ssn4\`, such as \`1979-01-01\` or \`0000\`. A wrong \`fullName.firstName\` counts if the phone needs it or the brand's challenges name it. |
| OCE019 | Send three different wrong values of one input for one phone within 30 minutes (each gets OCE012), then a fourth value, right or wrong. Repeating a wrong value does not count again. |

## What to do next

- [Errors](errors.md) explains each code.
- [Reason codes](reason-codes.md) explains the codes behind a risk score.`;
