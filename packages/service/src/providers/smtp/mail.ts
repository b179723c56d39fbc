import type { MailSender } from "../../domain/ports.ts";
import { openBreaker } from "../breaker.ts";
import { VendorFailure, type VendorTools } from "../vendor.ts";

export type SmtpSettings = {
  host: string;
  port: number;
  /** `direct`: TLS from the first byte. `upgrade`: requires STARTTLS. `none`: only for a server on this machine. */
  tls: "direct" | "upgrade" | "none";
  user: string | null;
  password: string | null;
  from: string;
};

const repeatDelayMs = 1_000;
/** Exactly one address, without a list, a name or a header. */
const oneAddress = /^[^\s,;:<>()[\]"\\]+@[^\s,;:<>()[\]"\\]+$/;

type Sent = Parameters<MailSender["send"]>[0];

/** Sends email through any SMTP server. The email's id becomes the Message-ID, by which a repeat can be recognized. */
export function smtpMail(settings: SmtpSettings, tools: VendorTools): MailSender & { close(): Promise<void> } {
  const { clock, timer, notes } = tools;
  const breaker = openBreaker(clock, (state) => notes.breakerTurned({ vendor: "smtp", state }));
  const trySend = async (mail: Sent, timeoutMs: number): Promise<"sent" | Trouble> => {
    if (!breaker.admits()) return { error: "breaker open", isUntouched: false, isAlive: true };
    const begun = clock.now();
    const trouble = await handOver(settings, { mail, timeoutMs, timer });
    breaker.record(trouble === null || trouble.isAlive ? "alive" : "failed");
    const outcome = trouble?.error ?? "sent";
    notes.called({ vendor: "smtp", operation: "send", outcome, at: begun, durationMs: clock.now() - begun });
    return trouble ?? "sent";
  };
  return {
    from: settings.from,
    keepsMails: false,
    async send(mail) {
      if (!oneAddress.test(mail.to)) throw new VendorFailure("smtp: the recipient is not one address");
      const endsAt = clock.now() + mail.deadlineMs;
      let outcome = await trySend(mail, mail.deadlineMs);
      if (outcome !== "sent" && outcome.isUntouched && clock.now() + repeatDelayMs < endsAt) {
        await timer.pause(repeatDelayMs);
        outcome = await trySend(mail, endsAt - clock.now());
      }
      if (outcome !== "sent") throw new VendorFailure(`smtp: ${outcome.error}`);
    },
    close: async () => {},
  };
}

type Trouble = {
  error: string;
  /** Nothing was sent to the server, so the email may be retried at once. */
  isUntouched: boolean;
  /** The server is up and refused the email. */
  isAlive: boolean;
};

/** Hands the email to the server. Null if the server accepted it. */
async function handOver(
  settings: SmtpSettings,
  options: { mail: Sent; timeoutMs: number; timer: VendorTools["timer"] },
): Promise<Trouble | null> {
  const { mail, timeoutMs, timer } = options;
  // Load the library with the first email. It is large, and most processes send none.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host: settings.host,
    port: settings.port,
    secure: settings.tls === "direct",
    requireTLS: settings.tls === "upgrade",
    ignoreTLS: settings.tls === "none",
    ...(settings.user === null ? {} : { auth: { user: settings.user, pass: settings.password ?? "" } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // An email must never make this process read files or fetch URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = settings.from.replace(/>.*$/, "").split("@").at(-1) ?? "localhost";
  const sent = transport.sendMail({
    from: settings.from,
    to: { name: "", address: mail.to },
    subject: mail.subject.replace(/\s+/g, " "),
    text: mail.body,
    messageId: `<${mail.id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  });
  const timeout = Promise.withResolvers<Trouble>();
  const cancelTimeout = timer.after(timeoutMs, () =>
    timeout.resolve({ error: "timeout", isUntouched: false, isAlive: false }),
  );
  const result = sent.then(({ accepted }) => (accepted.length === 1 ? null : refused), troubleOf);
  return await Promise.race([result, timeout.promise]).finally(cancelTimeout);
}

const refused: Trouble = { error: "refused", isUntouched: false, isAlive: true };

/** The kind of error. The server's message may contain an address, so it is not used. */
function troubleOf(error: unknown): Trouble {
  const member = (name: string): unknown =>
    error instanceof Error ? Object.entries(error).find(([key]) => key === name)?.[1] : undefined;
  const status = member("responseCode");
  if (typeof status === "number" && status >= 400)
    return { error: `status ${status}`, isUntouched: false, isAlive: status >= 500 };
  const isUntouched = member("command") === "CONN" && member("code") !== "ETIMEDOUT";
  return { error: "connection failed", isUntouched, isAlive: false };
}
