import { sql } from "kysely";
import type { AnyReader } from "../database.ts";

/** The settings and the state that decide whether a commit waits for a standby. */
export type CommitState = {
  role: string;
  /** Whether the role sees the state of other connections. */
  sees: boolean;
  commit: string;
  names: string;
  /** Number of standbys that confirm commits now. */
  confirming: number;
};

const commitState = sql<CommitState>`
  select current_user as role, pg_has_role(current_user, 'pg_read_all_stats', 'usage') as sees,
         current_setting('synchronous_commit') as commit, current_setting('synchronous_standby_names') as names,
         (select count(*) from pg_stat_replication
           where state = 'streaming' and sync_state in ('sync', 'quorum'))::int as confirming`;

export async function readCommitState(db: AnyReader): Promise<CommitState> {
  const { rows } = await commitState.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error("the database returned no settings");
  return state;
}

/** With these values of `synchronous_commit`, a commit waits until a standby has stored it. */
const waitingModes = ["on", "remote_apply"];

/** Why a failure of the primary could lose an acknowledged change; null if each commit waits for a standby. */
export function whyUnsafe({ role, sees, commit, names, confirming }: CommitState): string | null {
  if (names.trim() === "") return "synchronous_standby_names is empty, so commits wait for no standby";
  if (!waitingModes.includes(commit)) return `synchronous_commit is ${commit}; it must be ${waitingModes.join(" or ")}`;
  if (!sees) return `the role ${role} cannot see the standbys: grant pg_read_all_stats to ${role}`;
  return confirming === 0 ? "no synchronous standby is connected" : null;
}

/** The same, but null if only the standby is away: then commits wait for it, and nothing can be lost. */
export function whyMisconfigured(state: CommitState): string | null {
  return whyUnsafe({ ...state, confirming: 1 });
}

/** Whether the reason of `whyUnsafe` can pass without a change of the settings. */
export function isPassing(state: CommitState): boolean {
  return state.confirming === 0 && whyMisconfigured(state) === null;
}

/** The fewest standbys that confirm commits of any database. A cell that does not answer or is not open has none. */
export async function fewestStandbys(
  first: AnyReader,
  cells: readonly AnyReader[],
  { unopened }: { unopened: number },
): Promise<number> {
  if (unopened > 0) return 0;
  const ofCells = cells.map((db) => countStandbys(db).catch(() => 0));
  return Math.min(...(await Promise.all([countStandbys(first), ...ofCells])));
}

/** The number of standbys that confirm each commit; 0 if commits wait for none. */
export async function countStandbys(db: AnyReader): Promise<number> {
  const state = await readCommitState(db);
  return whyUnsafe(state) === null ? state.confirming : 0;
}
