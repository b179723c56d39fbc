import type { Deps } from "../deps.ts";
import type { Clock, MailSender } from "../ports.ts";

/**
 * Dependencies of accounts. Accounts are outside both environments: they use the real clock, and resetting the sandbox
 * signs nobody out.
 */
export type AccountDeps = Pick<Deps, "db" | "vault" | "random"> & {
  clock: Clock;
  mail: MailSender;
  /** Base URL of the dashboard, without a trailing slash. Known once it listens. */
  addresses: { dashboardUrl: string };
};

/** The scope of keys and lookup hashes of accounts, separate from both environments. */
export const accountScope = "account";
