import type { Deps } from "../deps.ts";
import type { CheckAnswer, DirectoryPayer, InsuredPerson } from "../ports.ts";
import { type CheckReading, isTemporary, readCheck } from "./answer.ts";
import { messages } from "./messages.ts";
import { callDeadlineMs, runStep } from "./steps.ts";
import type { HealthLookup } from "./store.ts";
import { searchRejections } from "./x12/codes.ts";
import { compose270 } from "./x12/compose.ts";

/** Search data of one attempt to be recognised by a payer. */
type SearchOption = { person: InsuredPerson; memberId?: string };

/** Ways of asking one payer about one person: the first, and two more after rejections that other data may cure. */
const searchOptionsMax = 3;

/** Asks a payer about a plan; with other search data where it does not recognise the person by the first. */
export async function checkPlan(
  deps: Deps,
  lookup: HealthLookup,
  what: { payer: DirectoryPayer; memberId?: string },
): Promise<CheckReading> {
  const { person } = lookup.question;
  let option: SearchOption = { person, ...(what.memberId === undefined ? {} : { memberId: what.memberId }) };
  let first: CheckReading | null = null;
  const tried = new Set<string>();
  for (let number = 0; number < searchOptionsMax; number += 1) {
    const name = `check:${what.payer.vendorId}:${what.memberId ?? ""}:${number}`;
    const reading = await ask(deps, lookup, { payer: what.payer, option, name: stepName(deps, name) });
    if (reading.kind === "plan") return reading;
    first ??= reading;
    const next = reading.kind === "nobody" ? otherOption(option, reading.code, tried) : null;
    // What the payer said to the full question explains more than what it says to less.
    if (next === null) return first;
    option = next;
  }
  return first ?? { kind: "none", errors: [messages.payerUnavailable] };
}

/** A member id is personal: a step is named by a hash of it. */
function stepName(deps: Deps, name: string): string {
  return `check:${deps.vault.codeHash("health.step", name).toString("hex").slice(0, 32)}`;
}

async function ask(
  deps: Deps,
  lookup: HealthLookup,
  { payer, option, name }: { payer: DirectoryPayer; option: SearchOption; name: string },
): Promise<CheckReading> {
  const { question } = lookup;
  const named = { id: payer.ids[0] ?? payer.vendorId, name: payer.name };
  const memberId = option.memberId === undefined ? {} : { memberId: option.memberId };
  const outcome = await runStep<CheckAnswer>(deps, lookup, {
    name,
    isTemporary,
    call({ controlNumber, trace }) {
      const at = deps.clock.now();
      const x12 = compose270({
        ...deps.clearinghouse.envelope,
        controlNumber,
        trace,
        at,
        payer: named,
        provider: question.provider,
        person: { ...option.person, ...memberId },
        serviceTypeCodes: question.serviceTypeCodes,
        procedureCodes: question.procedureCodes,
      });
      const { npi } = question.provider;
      return deps.clearinghouse.check({
        x12,
        trace,
        person: option.person,
        payer: named,
        ...memberId,
        npi,
        at,
        deadlineMs: callDeadlineMs,
      });
    },
  });
  if (outcome.kind === "lost") return { kind: "none", errors: [messages.checkLost] };
  return readCheck(outcome.answer, { ...question.person, ...memberId }, outcome.trace);
}

/** Less or other search data, by what the payer stumbled over; null when there is nothing else to try. */
function otherOption({ person, memberId }: SearchOption, code: string, tried: Set<string>): SearchOption | null {
  if (!searchRejections.has(code) || tried.has(code)) return null;
  tried.add(code);
  const kept = memberId === undefined ? {} : { memberId };
  if (code === "71") return memberId === undefined ? null : { person: without(person, "birthDate"), ...kept };
  if (code === "73")
    return memberId === undefined ? null : { person: without(person, "firstName", "middleName"), ...kept };
  if (code === "74") return person.sex === undefined ? null : { person: without(person, "sex"), ...kept };
  // 72 and 75: found under another member id, or not at all.
  return memberId === undefined ? null : { person };
}

function without(person: InsuredPerson, ...names: (keyof InsuredPerson)[]): InsuredPerson {
  return Object.fromEntries(Object.entries(person).filter(([name]) => !names.some((one) => one === name)));
}
