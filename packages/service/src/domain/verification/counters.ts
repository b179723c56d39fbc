/** The names of the counters in `use_count`, which all processes share. */
import type { NewJob } from "../../store/queue.ts";
import type { Deps } from "../deps.ts";
import type { Cap, Phone } from "../ports.ts";

/** A text, and whose; null: the service's own. */
export type Texted = { phone: Phone; brandUuid: string | null };

/** Characters of a number that name its block. */
const blockLength = 9;
/** Counters that everybody uses are kept in parts, so that senders do not wait for one another. */
export const textParts = 16;

/** What is counted of texts and of their answers; the keys are a part of a brand's counter, or a block. */
export const textScopes = {
  block: "text.block",
  brand: (uuid: string) => `text.brand.${uuid}`,
  verifiedInBlock: "verified.block",
  verifiedOfBrand: (uuid: string) => `verified.brand.${uuid}`,
};

type Window = Pick<Cap, "windowMs">;

export const windowAt = (deps: Pick<Deps, "clock">, { windowMs }: Window) =>
  Math.floor(deps.clock.now() / windowMs) * windowMs;

/** Not the index by which a person is found: a counter outlives a deletion by a day, and leads to nobody. */
export const phoneKey = (deps: Deps, phone: Phone) => deps.vault.codeHash("caps", phone);

/** A block of a thousand numbers: those of one sale, which whoever pumps texts goes through. */
export const blockKey = (deps: Deps, phone: Phone) => deps.vault.codeHash("caps", phone.slice(0, blockLength));

/** How long a counter is kept: the longest window of a cap. */
export const dayMs = 24 * 60 * 60_000;

/** The job that clears what is over; whoever counts enqueues it once. */
export function nextPurge(deps: Pick<Deps, "clock" | "environment">): NewJob {
  const dueAt = deps.clock.now() + dayMs;
  return { environment: deps.environment, name: "verification.purgeCounts", subject: "all", dueAt, payload: {} };
}
