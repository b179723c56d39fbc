/** A weakness that is put into a file on purpose, and the tests that must detect it. */
export type Mutant = {
  /** Must occur exactly once in the file, or the run ends. */
  from: string;
  to: string;
  /** The word of a test file, optionally with part of its tests' names: `caps`, `caps: one phone`. */
  tests: readonly string[];
  /** Why no test can detect this mutant. It must then survive. */
  survives?: string;
};

/** The mutants of one file. `area` selects them on the command line. */
export type Weakened = { area: string; file: string; mutants: readonly Mutant[] };
