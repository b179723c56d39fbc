/** Every statement about the table `home_sweep`: whose turn it is to sweep home. */
import type { Home } from "../../store/database.ts";

type Turn = { environment: string; kind: "expiry" | "hourly" };

/** Takes the turn. False if a process took it less than `everyMs` ago. */
export async function takeTurn(
  home: Home,
  { now, everyMs, ...turn }: Turn & { now: number; everyMs: number },
): Promise<boolean> {
  const row = await home
    .insertInto("home_sweep")
    .values({ ...turn, begun_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["environment", "kind"])
        .doUpdateSet({ begun_at: now })
        // A later time is from before the sandbox's clock moved back.
        .where(({ eb, or }) =>
          or([eb("home_sweep.begun_at", "<=", now - everyMs), eb("home_sweep.begun_at", ">", now)]),
        ),
    )
    .returning("kind")
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives the turn back, so that the next run of any process takes it. */
export async function returnTurn(home: Home, { environment, kind }: Turn): Promise<void> {
  await home.deleteFrom("home_sweep").where("environment", "=", environment).where("kind", "=", kind).execute();
}
