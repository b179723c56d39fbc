/** Limits on the jobs that one process runs at the same time: in total, in all groups together, and per group. */
export const jobSlotsMax = 512;
/** Lower than `jobSlotsMax`, so that texts never wait for webhooks. */
export const groupedMax = 448;
const groupMax = 4;
/** With this many grouped jobs or more, a group gets at most one slot, so that hanging groups leave room for others. */
export const crowdedFrom = 384;

/**
 * With at least this many free slots, the worker polls for jobs immediately. A poll costs about as much for one job as
 * for a hundred.
 */
export const pollFrom = 128;

type Group = string | null;
/** How many jobs a worker may claim now. `running`: number of jobs per concurrency group that already run. */
export type Room = { limit: number; groupedMax: number; groupMax: number; running: Record<string, number> };

/** Counts the slots that jobs take. */
export function openSlots() {
  const perGroup = new Map<string, number>();
  let taken = 0;
  let grouped = 0;
  const add = (group: Group, change: 1 | -1) => {
    taken += change;
    if (group === null) return;
    grouped += change;
    const left = (perGroup.get(group) ?? 0) + change;
    if (left === 0) perGroup.delete(group);
    else perGroup.set(group, left);
  };
  const isCrowded = () => grouped >= crowdedFrom;
  const ownMax = () => (isCrowded() ? 1 : groupMax);
  return {
    isFull: () => taken >= jobSlotsMax,
    isWorthPolling: () => Math.min(jobSlotsMax - taken, groupedMax - grouped) >= pollFrom,
    isCrowded,
    areGrouped: () => grouped > 0,
    take: (group: Group) => add(group, 1),
    release: (group: Group) => add(group, -1),
    /** Whether a job of this group may take a slot now. */
    hasRoom(group: Group): boolean {
      if (taken >= jobSlotsMax) return false;
      return group === null || (grouped < groupedMax && (perGroup.get(group) ?? 0) < ownMax());
    },
    room(): Room {
      const free = jobSlotsMax - taken;
      const groupedFree = (isCrowded() ? groupedMax : crowdedFrom) - grouped;
      const running = Object.fromEntries(perGroup);
      return { limit: free, groupedMax: Math.min(free, groupedFree), groupMax: ownMax(), running };
    },
  };
}
