/** A weakness put into a file on purpose, and the tests that must notice it. */
export type Mutant = {
  /** Stands in the file once; a mutant whose place is gone, or is no longer one, ends the run. */
  from: string;
  to: string;
  /** A test file's word, or that and a part of the names of its tests: `caps`, `caps: fifteen times an hour`. */
  tests: readonly string[];
  /** Why nobody could notice: then it may survive, and must. */
  survives?: string;
};

/** What is weakened in one file; `area` is what a run is asked for. */
export type Weakened = { area: string; file: string; mutants: readonly Mutant[] };
