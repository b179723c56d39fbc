// Generated from docs/api/v2.json: `npm run generate` writes it.

import type { CallOptions } from "./operations.ts";

/** The calls that control a sandbox, for tests. Every call rejects with a `CountersignError`. Instants are Unix milliseconds. */
export type SandboxApi = {
  /**
   * The sandbox's texts, newest first; none is really sent.
   *
   * Emails to members can sign them in. They are therefore listed only for the demo customers, whose keys are
   * public.
   *
   * Errors: ERR001.
   */
  listSandboxMessages(
    query?: {
      /** Only messages to this phone or email address. */
      to?: string;
    },
    options?: CallOptions,
  ): Promise<{
    /** The messages, newest first. */
    data: {
      /** The message's id. */
      id: string;
      /** The phone or email address of the receiver. */
      to: string;
      /** The sender's name or number. */
      from: string;
      /** The subject of an email. */
      subject?: string;
      /** The text, with the code or link. */
      body: string;
      /** Text message or email. */
      channel: "sms" | "email";
      /** The brand that caused a text. */
      brandUuid?: string;
      /** When it was sent, in Unix milliseconds. */
      sentAt: number;
    }[];
  }>;

  /**
   * Reply to a text as the phone's holder.
   *
   * After `STOP` no brand's texts reach the phone (OCV011), until `START`. Anything else is ignored. Fixed people
   * receive every text.
   *
   * Errors: ERR001.
   */
  answerSandboxText(
    body: {
      /** The phone that replies. */
      from: string;
      /** The reply, such as `STOP` or `START`. */
      body: string;
    },
    options?: CallOptions,
  ): Promise<{
    /** What the reply changed. */
    heeded: "stopped" | "started" | "ignored";
  }>;

  /**
   * The sandbox's time.
   *
   * Every date and limit of the sandbox follows this clock.
   */
  readSandboxClock(options?: CallOptions): Promise<{
    /** The sandbox's time, in Unix milliseconds. */
    now: number;
    /** How far the clock is ahead of real time, in milliseconds. */
    offsetMs: number;
  }>;

  /**
   * Advance the sandbox's clock.
   *
   * Runs every job that becomes due, in order, each at its due time, and answers when all are done.
   *
   * Errors: ERR001.
   */
  moveSandboxClock(
    body: {
      /** How far to advance, in milliseconds, at most 400 days. Give this or `now`. */
      advanceMs?: number;
      /** The time to advance to, in Unix milliseconds. */
      now?: number;
    },
    options?: CallOptions,
  ): Promise<{
    /** The sandbox's time, in Unix milliseconds. */
    now: number;
    /** How far the clock is ahead of real time, in milliseconds. */
    offsetMs: number;
    /** How many jobs ran meanwhile. */
    jobsRun: number;
  }>;

  /**
   * Back to real time.
   *
   * Data that was created while the clock was ahead keeps its dates.
   */
  resetSandboxClock(options?: CallOptions): Promise<{
    /** The sandbox's time, in Unix milliseconds. */
    now: number;
    /** How far the clock is ahead of real time, in milliseconds. */
    offsetMs: number;
  }>;

  /**
   * Create a brand and its API key.
   *
   * The brand belongs to the customer of your key. A call without a key creates it for the demo customer.
   *
   * Errors: ERR001.
   */
  createSandboxBrand(
    body: {
      /** The brand's name. */
      name?: string;
      /** Settings that differ from the defaults. */
      settings?: Record<string, unknown>;
    },
    options?: CallOptions,
  ): Promise<{
    /** The brand's id. */
    uuid: string;
    /** The brand's API key. It is shown only here. */
    apiKey: string;
    /** The brand's settings. */
    settings: Record<string, unknown>;
  }>;

  /**
   * A brand and its settings.
   *
   * Secrets are left out of the settings.
   *
   * Errors: ERR001.
   */
  readSandboxBrand(
    uuid: string,
    options?: CallOptions,
  ): Promise<{
    /** The brand's id. */
    uuid: string;
    /** The brand's name. */
    name: string;
    /** The brand's settings in the sandbox. */
    settings: Record<string, unknown>;
    /** Whether the v1 push has an authorization value, which is never returned. */
    hasPushAuthorization: boolean;
  }>;

  /**
   * Change some of a brand's settings.
   *
   * Members that the body does not name keep their values. The answer has all settings.
   *
   * Errors: ERR001.
   */
  patchSandboxBrandSettings(
    uuid: string,
    body: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<Record<string, unknown>>;

  /**
   * Remove a brand's logo.
   *
   * The wallet then shows the brand's name without a picture.
   *
   * Errors: ERR001.
   */
  deleteSandboxBrandLogo(uuid: string, options?: CallOptions): Promise<Record<string, unknown>>;

  /**
   * Remove everything that your customer created.
   *
   * Brands remain. The demo brands get their first settings back. Attempt counts are cleared.
   *
   * Errors: ERR001.
   */
  resetSandbox(
    body?: Record<string, never>,
    options?: CallOptions,
  ): Promise<{
    /** How many verifications, 1-Clicks and other rows were removed. */
    removed: number;
  }>;

  /**
   * Create a webhook for a brand.
   *
   * The signing secret is shown here and never again.
   *
   * Errors: ERR001.
   */
  createSandboxWebhook(
    uuid: string,
    body: {
      /** The receiver's URL. */
      url: string;
      /** How the service authenticates to the receiver. Default: only by signature. */
      authentication?:
        | {
            /** No authentication besides the signature. */
            type: "none";
          }
        | {
            /** A header with a fixed value. */
            type: "apiKey";
            /** The name of the header. */
            header: string;
            /** The value of the header. */
            value: string;
          }
        | {
            /** HTTP basic authentication. */
            type: "basic";
            /** The username, without a colon. */
            username: string;
            /** The password. */
            password: string;
          };
      /** The events that it gets. Default: `1-click.health.lookup`. */
      events?: (
        | "1-click.health.lookup"
        | "1-click.signup.shared"
        | "1-click.signup.declined"
        | "1-click.signup.ended"
      )[];
    },
    options?: CallOptions,
  ): Promise<{
    /** The webhook's id. */
    uuid: string;
    /** The receiver's URL. */
    url: string;
    /** The secret that signs requests. It is shown only here. */
    signingSecret: string;
  }>;

  /**
   * Replace a webhook's signing secret.
   *
   * For 24 hours both secrets sign requests.
   *
   * Errors: ERR001.
   */
  rotateSandboxWebhook(
    uuid: string,
    body?: Record<string, never>,
    options?: CallOptions,
  ): Promise<{
    /** The new secret. It is shown only here. */
    signingSecret: string;
  }>;

  /**
   * A webhook's deliveries.
   *
   * The newest first, at most 200, each with every attempt.
   *
   * Errors: ERR001.
   */
  listSandboxDeliveries(
    uuid: string,
    options?: CallOptions,
  ): Promise<{
    /** At most 200 deliveries. */
    data: {
      /** The delivery's id. */
      uuid: string;
      /** The event's name. */
      event: string;
      /** The lookup that the event is about. */
      healthDataUuid?: string;
      /** The 1-Click that the event is about. */
      identityUuid?: string;
      /** Whether the receiver acknowledged it, or all attempts failed (`deadLettered`). */
      status: "pending" | "delivered" | "deadLettered";
      /** Every attempt, oldest first. */
      attempts: {
        /** When the attempt began, in Unix milliseconds. */
        at: number;
        /** The status of the response. Absent if there was none. */
        httpStatus?: number;
        /** Why no response arrived. */
        error?: string;
        /** How long the attempt took, in milliseconds. */
        durationMs: number;
        /** The first 1,024 characters of the response. Only where a single delivery is read. */
        answer?: string;
      }[];
      /** When the next attempt is due, in Unix milliseconds. */
      nextAttemptAt?: number;
    }[];
  }>;

  /**
   * One delivery, with what the receiver answered.
   *
   * The texts of the answers are erased together with the event's body.
   *
   * Errors: ERR001.
   */
  readSandboxDelivery(
    uuid: string,
    options?: CallOptions,
  ): Promise<{
    /** The delivery's id. */
    uuid: string;
    /** The event's name. */
    event: string;
    /** The lookup that the event is about. */
    healthDataUuid?: string;
    /** The 1-Click that the event is about. */
    identityUuid?: string;
    /** Whether the receiver acknowledged it, or all attempts failed (`deadLettered`). */
    status: "pending" | "delivered" | "deadLettered";
    /** Every attempt, oldest first. */
    attempts: {
      /** When the attempt began, in Unix milliseconds. */
      at: number;
      /** The status of the response. Absent if there was none. */
      httpStatus?: number;
      /** Why no response arrived. */
      error?: string;
      /** How long the attempt took, in milliseconds. */
      durationMs: number;
      /** The first 1,024 characters of the response. Only where a single delivery is read. */
      answer?: string;
    }[];
    /** When the next attempt is due, in Unix milliseconds. */
    nextAttemptAt?: number;
  }>;

  /**
   * Deliver an event again.
   *
   * The same event with a new `sentAt`, timestamp and signature.
   *
   * Errors: ERR001.
   */
  replaySandboxDelivery(
    uuid: string,
    options?: CallOptions,
  ): Promise<{
    /** The delivery's id. */
    uuid: string;
  }>;

  /**
   * Delete a webhook or listener.
   *
   * Its pending deliveries end, and the bodies of past deliveries are erased.
   *
   * Errors: ERR001.
   */
  deleteSandboxWebhook(uuid: string, options?: CallOptions): Promise<Record<string, never>>;

  /**
   * Send a test event to each active webhook of a brand that gets this event.
   *
   * Signed and delivered like a real event, without real personal data, with `"test": true` in its body. 409 if no
   * webhook gets the event.
   *
   * Errors: ERR001.
   */
  triggerSandboxEvent(
    body: {
      /** The brand. Default: the key's brand. */
      brand?: string;
      /** The event to send. */
      event: "1-click.health.lookup" | "1-click.signup.shared" | "1-click.signup.declined" | "1-click.signup.ended";
    },
    options?: CallOptions,
  ): Promise<{
    /** The ids of the deliveries, one per webhook. */
    deliveries: string[];
  }>;
};

/** As `operations`: method and path, then what the call takes. */
export const sandboxOperations: { readonly [Name in keyof SandboxApi]: string } = {
  listSandboxMessages: "GET /sandbox/messages query",
  answerSandboxText: "POST /sandbox/messages body",
  readSandboxClock: "GET /sandbox/clock",
  moveSandboxClock: "POST /sandbox/clock body",
  resetSandboxClock: "DELETE /sandbox/clock",
  createSandboxBrand: "POST /sandbox/brands body",
  readSandboxBrand: "GET /sandbox/brands/{uuid}",
  patchSandboxBrandSettings: "PATCH /sandbox/brands/{uuid}/settings body",
  deleteSandboxBrandLogo: "DELETE /sandbox/brands/{uuid}/logo",
  resetSandbox: "POST /sandbox/reset body",
  createSandboxWebhook: "POST /sandbox/brands/{uuid}/webhooks body",
  rotateSandboxWebhook: "POST /sandbox/webhooks/{uuid}/rotate body",
  listSandboxDeliveries: "GET /sandbox/webhooks/{uuid}/deliveries",
  readSandboxDelivery: "GET /sandbox/deliveries/{uuid}",
  replaySandboxDelivery: "POST /sandbox/deliveries/{uuid}/replay",
  deleteSandboxWebhook: "DELETE /sandbox/webhooks/{uuid}",
  triggerSandboxEvent: "POST /sandbox/events body",
};
