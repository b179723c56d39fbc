import type { Deps } from "../deps.ts";
import type { CheckAnswer, DirectoryPayer, InsuredPerson } from "../ports.ts";
import { type CheckReading, isTemporary, readCheck, repeatsOtherDetails } from "./answer.ts";
import { type HealthLookup, messages } from "./lookup.ts";
import { callDeadlineMs, callOnce, type Delayed } from "./paid-call.ts";
import { isFederalPayer } from "./payers.ts";
import { searchRejections } from "./x12/codes.ts";
import { compose270, memberIdOf } from "./x12/compose.ts";

/** Search data for one attempt to find a person at a payer. */
type SearchOption = InsuredPerson & { memberId?: string };

/** Maximum attempts per person and payer: the first, and two with other search data after rejections. */
const searchOptionsMax = 3;

/** Checks a plan with its payer. If the payer does not recognize the person, tries other search data. */
export async function checkPlan(
  deps: Deps,
  lookup: HealthLookup,
  input: { payer: DirectoryPayer; memberId?: string },
): Promise<CheckReading | Delayed> {
  const { person } = lookup.question;
  const memberId = input.memberId === undefined ? {} : { memberId: memberIdOf(input.memberId) };
  let option: SearchOption = { ...person, ...memberId };
  let first: CheckReading | null = null;
  const tried = new Set<string>();
  for (let number = 0; number < searchOptionsMax; number += 1) {
    const name = `check:${input.payer.vendorId}:${input.memberId ?? ""}:${number}`;
    const reading = await ask(deps, lookup, { payer: input.payer, option, name: callName(deps, name) });
    if (reading.kind === "delayed") return reading;
    if (reading.kind === "plan" && repeatsOtherDetails(reading.eligibility, person, option)) return reading;
    if (reading.kind === "plan") return first ?? { kind: "withheld", errors: [messages.otherPerson] };
    first ??= reading;
    const next =
      reading.kind === "nobody" && reading.code !== undefined ? otherOption(option, reading.code, tried) : null;
    // Return the answer to the complete question, which explains more than an answer to a reduced one.
    if (next === null) return first;
    option = next;
  }
  return first ?? { kind: "none", errors: [messages.payerUnavailable] };
}

/** The name of a call contains a hash, because a member id is personal data. */
function callName(deps: Deps, name: string): string {
  return `check:${deps.vault.keyedHash("health.step", name).toString("hex").slice(0, 32)}`;
}

async function ask(
  deps: Deps,
  lookup: HealthLookup,
  { payer, option, name }: { payer: DirectoryPayer; option: SearchOption; name: string },
): Promise<CheckReading | Delayed> {
  const { question } = lookup;
  const { memberId: searched, ...person } = option;
  const memberId = searched === undefined ? {} : { memberId: searched };
  const named = { id: payer.ids[0] ?? payer.vendorId, name: payer.name };
  const outcome = await callOnce<CheckAnswer>(deps, lookup, {
    name,
    isTemporary,
    call({ controlNumber, trace }) {
      const at = deps.clock.now();
      const x12 = compose270({
        ...deps.vendors.clearinghouse.envelope,
        controlNumber,
        trace,
        at,
        payer: { ...named, isFederal: isFederalPayer(payer) },
        provider: question.provider,
        person: option,
        serviceTypeCodes: question.serviceTypeCodes,
        procedureCodes: question.procedureCodes,
      });
      const { npi } = question.provider;
      return deps.vendors.clearinghouse.check({
        x12,
        trace,
        person,
        payer: named,
        ...memberId,
        npi,
        at,
        deadlineMs: callDeadlineMs,
      });
    },
  });
  if (outcome.kind === "delayed") return outcome;
  if (outcome.kind === "lost") return { kind: "none", errors: [messages.checkLost] };
  const { lastName } = question.person;
  return readCheck(outcome.answer, { ...option, lastName }, outcome.trace);
}

/** The search data for the next attempt, based on the rejection code; null if nothing is left to try. */
function otherOption(option: SearchOption, code: string, tried: Set<string>): SearchOption | null {
  const search = searchRejections.get(code);
  if (search === undefined || tried.has(code)) return null;
  tried.add(code);
  if (option[search.needs] === undefined) return null;
  const leavesOut: readonly string[] = search.leavesOut;
  return Object.fromEntries(Object.entries(option).filter(([name]) => !leavesOut.includes(name)));
}
