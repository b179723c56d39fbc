import type { Deps } from "../deps.ts";
import type { Clock, MailSender } from "../ports.ts";

/**
 * What accounts stand on. They lie outside both environments: their clock is the real one, which nobody moves, and a
 * sandbox that is reset signs nobody out.
 */
export type AccountDeps = Pick<Deps, "db" | "vault" | "random"> & {
  clock: Clock;
  mail: MailSender;
  /** Where the dashboard is reached, without a slash at the end. Known once it listens. */
  addresses: { dashboardUrl: string };
};

/** The name under which keys and look-up values of accounts are kept apart from both environments'. */
export const accountScope = "account";
