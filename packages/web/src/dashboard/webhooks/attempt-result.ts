/** Waiting for the result of an attempt, after a test event or "Send again". */
import type { DeliveryLine } from "@countersign/contract/dashboard-webhooks";

/** Polling interval and limit. A receiver has 30 seconds to answer. */
export const resultPolling = { everyMs: 1_000, max: 60 };

/**
 * Whether an attempt after the first `earlier` ones has a complete result. The acknowledgment can be visible before the
 * status changes.
 */
export function hasResult({ status, attempts }: DeliveryLine, earlier = 0): boolean {
  const last = attempts.at(-1);
  return status !== "pending" || (last !== undefined && attempts.length > earlier && !isAcknowledged(last));
}

const isAcknowledged = ({ httpStatus = 0 }: Pick<DeliveryLine["attempts"][number], "httpStatus">) =>
  httpStatus >= 200 && httpStatus < 300;
