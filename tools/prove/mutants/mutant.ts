/** A deliberate weakness in a file, and the tests that must detect it. */
export type Mutant = {
  /** Text that must occur exactly once in the file. */
  from: string;
  to: string;
  /** The word of a test file, optionally with part of its tests' names: `caps`, `caps: one phone`. */
  tests: readonly string[];
  /** Why no test can detect this mutant. It is then expected to survive. */
  survives?: string;
};

/** The mutants of one file. `area` selects them on the command line. */
export type Weakened = { area: string; file: string; mutants: readonly Mutant[] };
