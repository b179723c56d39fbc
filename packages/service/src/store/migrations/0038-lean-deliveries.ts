import type { Indexes } from "../build-indexes.ts";

/**
 * `expires_at` is when the sweep looks at a delivery again: 0 for rows of older versions, which the first sweep dates,
 * and null once nothing is left to erase. Saving an attempt changes no indexed column, so it adds no index entries.
 */
export const deliveryExpiry = `
alter table webhook_delivery add column if not exists expires_at bigint;
alter table webhook_delivery alter column expires_at set default 0;
update webhook_delivery set expires_at = 0 where status = 'deadLettered' or sealed is not null;
-- Room on each page for the new versions of its rows.
alter table webhook_delivery set (fillfactor = 50);
alter table job set (fillfactor = 50);
`;

export const deliveryExpiryIndex: Indexes = {
  webhook_delivery_expiry: "webhook_delivery (environment, expires_at) where expires_at is not null",
};

export const oldDeliveryIndex = `
drop index if exists webhook_delivery_finished;
`;
