/** Chooses where the audit log is sent. */
import type { AuditStreamSettings } from "../config/adapters.ts";
import type { AccountDeps } from "../domain/deps.ts";
import { type StreamedEntry, streamEntries } from "../domain/member/audit-stream.ts";
import { webhookSignature } from "../domain/webhook/request.ts";
import { type Repeated, repeat } from "../jobs/repeat.ts";
import { systemClock } from "../providers/system.ts";
import { openVendor, VendorFailure, type VendorTools } from "../providers/vendor.ts";
import type { Resources } from "./resources.ts";

/** How often new entries are sent, in milliseconds. */
const everyMs = 2_000;
/** Timeout of a request, in milliseconds. A transaction waits for it, and PostgreSQL ends one that is idle for 20 s. */
const deadlineMs = 10_000;

type Receiver = { send(entries: StreamedEntry[]): Promise<void>; close(): Promise<void> };

/** Null if nothing is streamed, or if this process runs no jobs. */
export function composeAuditStream(
  { config, log }: Resources,
  accounts: AccountDeps,
  tools: VendorTools,
): Repeated | null {
  const { auditStream } = config.adapters;
  if (auditStream === null || !config.roles.has("worker")) return null;
  const receiver = receiverOf(auditStream, tools);
  const work = () => streamEntries(accounts, receiver.send);
  const repeated = repeat(everyMs, work, (error) =>
    log.warn("audit log could not be streamed; will retry", {
      error: error instanceof VendorFailure ? error.message : "failed",
    }),
  );
  return {
    async stop() {
      await repeated.stop();
      await receiver.close();
    },
  };
}

export function receiverOf(settings: NonNullable<AuditStreamSettings>, tools: VendorTools): Receiver {
  if (settings.kind === "stdout")
    return {
      send: async (entries) =>
        void process.stdout.write(entries.map((entry) => `${JSON.stringify({ audit: entry })}\n`).join("")),
      close: async () => {},
    };
  const vendor = openVendor("audit_stream", tools);
  return {
    async send(entries) {
      const body = JSON.stringify({ entries });
      const timestamp = String(Math.floor(systemClock.now() / 1000));
      const answer = await vendor.call({
        operation: "send",
        method: "POST",
        url: settings.url,
        headers: {
          "content-type": "application/json",
          "x-webhook-timestamp": timestamp,
          "x-webhook-signature": webhookSignature([settings.secret], timestamp, body),
        },
        body,
        deadlineMs,
        repeats: "always",
      });
      if (answer.kind !== "answered") throw new VendorFailure(answer.error);
      if (answer.status < 200 || answer.status > 299) throw new VendorFailure(`status ${answer.status}`);
    },
    close: vendor.close,
  };
}
