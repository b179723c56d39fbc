import { clockAdvanceMaxMs } from "@countersign/contract/sandbox";
import { invalid, refuse } from "../../domain/failure.ts";

type Instant = { now: number; offsetMs: number };
/** The sandbox's clock and its controls. */
export type SandboxClock = {
  /** Null if the clock may not be moved. */
  clock: {
    read(): Instant;
    travelTo(target: number): Promise<number>;
    home(): Promise<void>;
  } | null;
  readClock(): Instant;
};

/** Moves the clock forward, by a duration or to a given time. Returns after all due jobs have run. */
export async function moveClock(
  controls: SandboxClock,
  to: { advanceMs?: number | undefined; now?: number | undefined },
): Promise<Instant & { jobsRun: number }> {
  const clock = movable(controls);
  if ((to.advanceMs === undefined) === (to.now === undefined)) {
    throw invalid([{ path: "body", message: "Send either advanceMs or now." }]);
  }
  const { now } = clock.read();
  const target = to.now ?? now + (to.advanceMs ?? 0);
  if (target < now) throw invalid([{ path: "body.now", message: "Use a later time: the clock only moves forward." }]);
  if (target - now > clockAdvanceMaxMs)
    throw invalid([{ path: "body.now", message: "Use a time at most 400 days ahead." }]);
  const jobsRun = await clock.travelTo(target);
  return { ...clock.read(), jobsRun };
}

export async function clockHome(controls: SandboxClock): Promise<Instant> {
  const clock = movable(controls);
  await clock.home();
  return clock.read();
}

function movable({ clock }: SandboxClock): NonNullable<SandboxClock["clock"]> {
  if (clock === null) throw refuse(403, "The clock can be moved only if SANDBOX_CLOCK is on.");
  return clock;
}
