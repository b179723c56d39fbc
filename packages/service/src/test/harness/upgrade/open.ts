/** A service in both environments whose brands' receivers are fakes, on a new database or on a restored one. */
import { outbound } from "../../../providers/outbound.ts";
import { mailOutbox } from "../../../providers/sandbox/outboxes.ts";
import { both } from "../both-environments.ts";
import { stillClock } from "../sandbox.ts";

export type Upgradable = Awaited<ReturnType<typeof openUpgradable>>;

/** `offsetMs`: where the sandbox's clock stands, so that what the database has is as old as it was. */
export async function openUpgradable({ databaseUrl, offsetMs = 0 }: { databaseUrl?: string; offsetMs?: number } = {}) {
  const { judge } = outbound({ loopback: false });
  const receiver = { status: 204 };
  const posted: { url: string; headers: Record<string, string>; body: string }[] = [];
  const post = async ({ url, headers, body }: (typeof posted)[number]) => {
    posted.push({ url, headers, body });
    return { kind: "answered" as const, status: receiver.status, durationMs: 1 };
  };
  const clock = stillClock();
  clock.setOffset(offsetMs);
  const variables: Record<string, string> = { OPERATOR_PORT: "4003" };
  if (databaseUrl !== undefined) variables.DATABASE_URL = databaseUrl;
  const it = await both(variables, {}, { clock, vendors: { outbound: { judge, post } } });
  // There is no mail server here.
  it.accounts.mail = mailOutbox();
  await Promise.all([it.wallet.ready(), it.production.wallet.ready()]);
  // What waited for a worker is done before anything is read. Otherwise answers depend on how fast the machine is.
  for (const { worker } of [it, it.production]) await worker.runDue();
  return Object.assign(it, { receiver, posted });
}
