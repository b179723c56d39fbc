/** The sandbox's clearinghouse, which reports each paid call to the parent process before and after the call. */
import type { Clearinghouse } from "../../domain/ports.ts";
import { sandboxClearinghouse as usualClearinghouse } from "../../providers/sandbox/clearinghouse.ts";

/** `asked` is reported before the call, `answered` before the answer is returned. */
export type PaidCall = { number: number; stage: "asked" | "answered"; question: string };

const waiting = new Map<number, () => void>();
let told = 0;
process.on("message", (number: number) => waiting.get(number)?.());
// The IPC channel to the test must not keep this process alive.
process.channel?.unref();

/** Waits until the test has recorded the report, so that the record survives a kill of this process. */
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

/** Reports each paid call without its control number, because a clearinghouse charges a repeated question again. */
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
