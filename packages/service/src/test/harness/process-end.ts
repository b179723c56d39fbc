/** Ends things that all test files of a process share, such as a browser. */
import { after } from "node:test";

type End = () => Promise<void>;
const ends: End[] = [];
let isShared = false;

/** A worker calls this before its first file. */
export function shareProcess(): void {
  isShared = true;
}

/** Calls `end` after the last file of a worker. In a process with one file, that is after its tests. */
export function atProcessEnd(end: End): void {
  if (isShared) ends.push(end);
  else after(end);
}

/** A worker calls this after its last file. A root `after` hook would already run after the first one. */
export async function endProcess(): Promise<void> {
  for (const end of ends) await end();
}
