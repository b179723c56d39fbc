/** The sandbox's clearinghouse, of which each paid call is told to the process that started this one: before and after. */
import type { Clearinghouse } from "../domain/ports.ts";
import { sandboxClearinghouse as usualClearinghouse } from "../providers/sandbox/clearinghouse.ts";

/** `asked` stands before the call is made, `answered` before its answer is handed over. */
export type PaidCall = { number: number; stage: "asked" | "answered"; question: string };

const waiting = new Map<number, () => void>();
let told = 0;
process.on("message", (number: number) => waiting.get(number)?.());
// The connection to the test keeps nobody from stopping.
process.channel?.unref();

/** Nothing goes on before the test has taken note: what it counts outlives a kill of this process. */
async function tell(stage: PaidCall["stage"], question: string): Promise<void> {
  const number = ++told;
  const noted = new Promise<void>((resolve) => waiting.set(number, resolve));
  process.send?.({ number, stage, question } satisfies PaidCall);
  await noted;
  waiting.delete(number);
}

async function paid<Answer>(question: string, call: () => Promise<Answer>): Promise<Answer> {
  await tell("asked", question);
  const answer = await call();
  await tell("answered", question);
  return answer;
}

/** What a clearinghouse would charge for a second time: the same question, whatever its control number. */
export function sandboxClearinghouse(): Clearinghouse {
  const usual = usualClearinghouse();
  return {
    ...usual,
    discover: (question) => paid(JSON.stringify({ person: question.person }), () => usual.discover(question)),
    check: (question) => {
      const { person, payer, memberId } = question;
      return paid(JSON.stringify({ person, payer, memberId }), () => usual.check(question));
    },
  };
}
