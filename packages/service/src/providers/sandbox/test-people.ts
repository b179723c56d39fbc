import type { TestPerson } from "@countersign/contract/dashboard-start";
import { challengeAnswers, type SandboxPerson, sandboxCode, sandboxPeople } from "./people.ts";
import { sandboxJudgments } from "./risk.ts";

/** A description of every fixed test person, generated from the tables that the sandbox answers from. */
export function testPeople(): TestPerson[] {
  return sandboxPeople.map((person) => {
    const { score } = sandboxJudgments[person.risk ?? "benign"];
    const { family, phone } = person;
    return { family, phone, code: sandboxCode, needs: needsText(person), score, outcome: outcome(person, score) };
  });
}

function needsText(person: SandboxPerson): string {
  const { needs } = person;
  if (!needs) return "the phone";
  if (person.unknown) return `any of ${needs.map((input) => `\`${input}\``).join(", ")}, with any value`;
  const answers = challengeAnswers(person);
  return needs.map((input) => `\`${input}\` = \`${answers[input]}\``).join(" or ");
}

/** The score above which a 1-Click is blocked (specification, "Limits"). */
const blockedAbove = 600;

function outcome(person: SandboxPerson, score: number): string {
  if (score > blockedAbove) return "OCE017 if risk signals are on, otherwise all data";
  if (person.unknown) return person.needs ? "OCE011 without an input, OCE013 with one" : "OCE013 with any input";
  const data = dataText(person);
  return person.needs ? `OCE011 without an input, ${data} with one` : data;
}

function dataText(person: SandboxPerson): string {
  if (person.without) return `all data except \`${person.without}\``;
  if (person.birthDate) return `all data; born \`${person.birthDate}\`, which is also the right input`;
  return person.address ? `all data; address ${addressText(person.address)}` : "all data";
}

export function addressText(address: SandboxPerson["address"]): string {
  if (!address) return "none";
  const { line1, city, state, zipCode, country } = address;
  return [line1, city, `${state} ${zipCode}`, country].filter((part) => part !== undefined).join(", ");
}
