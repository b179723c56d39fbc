/** Flows as lists of steps. A step adds facts, or returns how the flow ends. It never throws an outcome. */
import type { Caller, Deps } from "./deps.ts";

/** What a step returns to end its list. */
export class End<Outcome> {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

/** A step: from facts to more facts, or to the end. A failure of the service or of a source is thrown. */
type Step<Facts, More, Outcome> = (
  deps: Deps,
  caller: Caller,
  facts: Facts,
) => Promise<More | End<Outcome>> | More | End<Outcome>;

/** A list of steps that begins with `Start`. `Facts`: what its last step returns if it does not end the flow. */
type Steps<Start, Facts, Outcome> = {
  /** The list with one more step. */
  add<More>(step: Step<Facts, More, Outcome>): Steps<Start, More, Outcome>;
  /** The whole list. The last step always ends it. */
  end(step: Step<Facts, never, Outcome>): Flow<Start, Outcome>;
};

type Flow<Start, Outcome> = {
  /** The names of the steps, in order. `ARCHITECTURE.md` lists them. */
  names: readonly string[];
  /** Runs the steps in order, until one ends the list. */
  run(deps: Deps, caller: Caller, start: Start): Promise<Outcome>;
};

/** An empty list of steps. */
export function stepsFrom<Start, Outcome>(): Steps<Start, Start, Outcome> {
  return listOf<Start, Start, Outcome>([], async (_deps, _caller, start) => start);
}

/** `walk`: runs all steps of the list so far. */
function listOf<Start, Facts, Outcome>(
  names: readonly string[],
  walk: (deps: Deps, caller: Caller, start: Start) => Promise<Facts | End<Outcome>>,
): Steps<Start, Facts, Outcome> {
  const after =
    <More>(step: Step<Facts, More, Outcome>) =>
    async (deps: Deps, caller: Caller, start: Start): Promise<More | End<Outcome>> => {
      const facts = await walk(deps, caller, start);
      return facts instanceof End ? facts : await step(deps, caller, facts);
    };
  return {
    add: (step) => listOf([...names, step.name], after(step)),
    end(step) {
      const whole = after(step);
      const run = async (deps: Deps, caller: Caller, start: Start) => (await whole(deps, caller, start)).outcome;
      return { names: [...names, step.name], run };
    },
  };
}
