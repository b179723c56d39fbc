// Generated from docs/api/v2.json: `npm run generate` writes it.

import type {
  IssuedCredential,
  OneClickEntity,
  OneClickRequest,
  SessionRequest,
  VerificationEntity,
} from "./entities.ts";
import type { HealthEntity, HealthRequest, Payer } from "./health.ts";

/** For one call: how long it may take (milliseconds), a signal that ends it, further headers. */
export type CallOptions = { timeoutMs?: number; signal?: AbortSignal; headers?: Record<string, string> };

/** Instead of an answer: where to send the person's device, which follows it once, within 60 seconds. */
export type DeviceRedirect = { location: string };

/** What a brand's server may ask. Every call rejects with a `CountersignError`. Instants are Unix milliseconds. */
export type CountersignApi = {
  /**
   * Source a person's identity.
   *
   * The brand's integration type decides what is answered: `uuid` and `identity` (API, Non-Hosted), `uuid`, `url`
   * and `code` (Hosted), or `uuid` and `code` (Semi-Hosted). Keys of other types are absent. `phone` is your
   * statement that you proved it; `verificationUuid` is ours. An empty `credentialRequests` sources metadata only.
   * `identityUuid` continues an earlier 1-Click of yours.
   *
   * Errors: ERR001, OCE002, OCE003, OCE007, OCE011, OCE012, OCE013, OCE017, OCE019, OCE020, OCE021, OCV005.
   */
  createOneClick(
    body: OneClickRequest,
    options?: CallOptions,
  ): Promise<{
    /** UUID v4 */
    uuid: string;
    identity?: OneClickEntity;
    /** Hosted: the person's page; an opaque address, without code, phone or uuid */
    url?: string;
    /** Hosted and Semi-Hosted: what you text to the person */
    code?: string;
  }>;

  /**
   * Read a 1-Click again.
   *
   * For 60 minutes after it was answered or decided. Each read is visible to the person.
   *
   * Errors: ERR001, OCE007, OCE008, OCE009, OCE011, OCE012, OCE013, OCE015, OCE017, OCE018, OCE019.
   */
  readOneClick(
    uuid: string,
    query?: {
      /** Semi-Hosted: what the person typed */
      code?: string;
    },
    options?: CallOptions,
  ): Promise<OneClickEntity>;

  /**
   * Complete a 1-Click (Semi-Hosted).
   *
   * After OCE011, within 30 minutes of the POST, once the code was accepted. The body takes every input that
   * `data.additionalInputs` can name; `fullName.firstName` is sent as `{ "fullName": { "firstName": … } }`.
   *
   * Errors: ERR001, OCE007, OCE009, OCE011, OCE012, OCE013, OCE014, OCE015, OCE017, OCE018, OCE019.
   */
  amendOneClick(
    uuid: string,
    body: {
      /** yyyy-MM-dd */
      birthDate?: string;
      ssn4?: string;
      fullName?: { firstName?: string; middleName?: string; lastName?: string };
    },
    options?: CallOptions,
  ): Promise<OneClickEntity>;

  /**
   * Which channels can be used.
   *
   * Without `deviceIp` the device channels are not available. Trying one unasked costs little; this is only a
   * preview.
   *
   * Errors: ERR001.
   */
  readChannels(
    query?: { deviceIp?: string },
    options?: CallOptions,
  ): Promise<{
    channels: {
      autofill: { available: boolean; brandApproved: boolean; deviceIpEligible: boolean };
      silent: { available: boolean; brandApproved: boolean; deviceIpEligible: boolean };
      sms: { available: boolean; brandApproved: boolean };
    };
  }>;

  /**
   * Begin a verification.
   *
   * For `sms` the answer is the verification; nothing is sent before `deliver`. For `autofill` and `silent` it is
   * 302: give the `Location` to the person's device, which follows it once, within 60 seconds.
   *
   * Errors: ERR001, OCV006, OCV009, OCV011.
   */
  createVerification(
    body: {
      /** `autofill`, `silent` or `sms`; anything else is OCV006 */
      channel: string;
      /** E.164, US numbers only (`+1` and ten digits) */
      phone?: string;
      deviceIp?: string;
    },
    options?: CallOptions,
  ): Promise<VerificationEntity | DeviceRedirect>;

  /**
   * Text the code to the person.
   *
   * At most three times. Each text carries a fresh code and ends the one before; neither the attempts nor the time
   * are refilled.
   *
   * Errors: ERR001, OCV003, OCV004, OCV005, OCV011.
   */
  deliverVerification(
    uuid: string,
    body?: {
      format?: "code" | "link" | "codeAndLink" | "linkAndCode";
      /** Where a link leads in the end; must be allowed in the settings */
      redirectUrl?: string;
      redirectUserAfter?: "phoneVerification" | "infoConfirmation";
    },
    options?: CallOptions,
  ): Promise<VerificationEntity>;

  /**
   * Submit the code the person typed.
   *
   * Three attempts; a right code uses one as well.
   *
   * Errors: ERR001, OCV001, OCV002, OCV005, OCV007.
   */
  submitVerificationCode(uuid: string, body: { code: string }, options?: CallOptions): Promise<VerificationEntity>;

  /**
   * Read a verification.
   *
   * Errors: ERR001, OCV005.
   */
  readVerification(uuid: string, options?: CallOptions): Promise<VerificationEntity>;

  /**
   * Make a session key for the SDK.
   *
   * For brands of type SDK. The key opens one session, once, within 60 minutes. The body may be missing.
   *
   * Errors: ERR001, OCE002, OCE012, OCE021, OCV005, SKE001, SKE002.
   */
  createSession(
    body?: SessionRequest,
    options?: CallOptions,
  ): Promise<{
    /** UUID v4 */
    sessionKey: string;
  }>;

  /**
   * Find a person's health insurance, and check it.
   *
   * Answers at once; the work goes on. Without `memberId` plans are discovered from the person's data, and checked
   * with the payer if `checkAfterAutofill` says so; with `memberId` and `payer` that plan is checked.
   * `identityUuid` takes the person's data from a 1-Click of yours; members given here override it.
   *
   * Errors: ERR001, OCE015.
   */
  createHealthLookup(
    body: HealthRequest,
    options?: CallOptions,
  ): Promise<{
    /** UUID v4 */
    healthDataUuid: string;
    externalReference?: string;
    status: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "PARTIAL";
  }>;

  /**
   * Read a lookup.
   *
   * `PENDING` and `PROCESSING`: ask again in two seconds, or take the webhook. Final: `SUCCEEDED`, `PARTIAL`
   * (plans and `errors`), `FAILED` (only `errors`). Readable for 60 minutes after the final state.
   */
  readHealthLookup(healthDataUuid: string, options?: CallOptions): Promise<HealthEntity>;

  /**
   * The payers that are known.
   *
   * Without a query parameter an array of all; with any, a page (`$paginate=false` turns that off). `$search`
   * finds by name, id and alias, and forgives small typos.
   *
   * Errors: ERR001.
   */
  listPayers(
    query?: {
      $search?: string;
      /** 1 to 100; default 10 */
      $limit?: string;
      /** Default 0. Beyond the end the page is empty, however large it is. */
      $skip?: string;
      $paginate?: "true" | "false";
    },
    options?: CallOptions,
  ): Promise<{ total: number; limit: number; skip: number; data: Payer[] } | Payer[]>;

  /**
   * Issue credentials to a person.
   *
   * You need the operator's approval `issuance` (given in the sandbox) and the person's consent: state it with
   * `consent`, or once in your settings (`consent.declared`). All is stored or nothing; `data.errors` names each
   * problem. The person is known by `phone`, `email` or both, which you verified; naming both links them. An `id`
   * of your own makes a repeated call harmless: it is answered with 409. `verificationMethod` and other members
   * that are not described are ignored.
   *
   * Errors: ERR001, OCE002.
   */
  issueCredentials(
    body: {
      email?: string;
      /** E.164, US numbers only (`+1` and ten digits) */
      phone?: string;
      credentials: {
        /** UUID v4 */
        id?: string;
        /** A type of the schema library (`GET /jsonSchema`) */
        type: string;
        data:
          | Record<string, unknown>
          | {
              /** A type of the schema library (`GET /jsonSchema`) */
              type: string;
              data:
                | Record<string, unknown>
                | {
                    /** A type of the schema library (`GET /jsonSchema`) */
                    type: string;
                    /** An atomic type's data: one key, as its schema says */
                    data: Record<string, unknown>;
                  }[];
            }[];
        /** Unix time, milliseconds */
        expirationDate?: number;
      }[];
      /** Echoed, not kept */
      trackingId?: string;
      consent?: {
        /** Which text was agreed to */
        version: string;
        /** Where, such as `signup-form`; nothing personal */
        source: string;
        /** Unix time, milliseconds */
        obtainedAt: number;
      };
    },
    options?: CallOptions,
  ): Promise<{ email?: string; phone?: string; trackingId?: string; credentials: IssuedCredential[] }>;

  /**
   * Read a credential that you issued.
   *
   * Errors: ERR001.
   */
  readCredential(id: string, options?: CallOptions): Promise<IssuedCredential>;

  /**
   * Change, revoke or reinstate a credential that you issued.
   *
   * `data` is replaced whole. Its `id` and date of issuance stay. What was shared already does not change.
   *
   * Errors: ERR001.
   */
  changeCredential(
    id: string,
    body: {
      data?:
        | Record<string, unknown>
        | {
            /** A type of the schema library (`GET /jsonSchema`) */
            type: string;
            data:
              | Record<string, unknown>
              | {
                  /** A type of the schema library (`GET /jsonSchema`) */
                  type: string;
                  /** An atomic type's data: one key, as its schema says */
                  data: Record<string, unknown>;
                }[];
          }[];
      expirationDate?: number | null;
      status?: "valid" | "revoked";
    },
    options?: CallOptions,
  ): Promise<IssuedCredential>;

  /**
   * The schema library: every credential type.
   *
   * A flat map from type to schema. A schema never changes under its name.
   */
  readSchemaLibrary(options?: CallOptions): Promise<Record<string, unknown>>;

  /** The schema of one credential type. */
  readSchema(type: string, options?: CallOptions): Promise<Record<string, unknown>>;
};

/** Method, path, what a call takes besides the path's parameters, and whether it may answer with a redirect. */
export const operations: { readonly [Name in keyof CountersignApi]: string } = {
  createOneClick: "POST /v2/1-click body",
  readOneClick: "GET /v2/1-click/{uuid} query",
  amendOneClick: "PATCH /v2/1-click/{uuid} body",
  readChannels: "GET /v2/1-click/verifications/channels query",
  createVerification: "POST /v2/1-click/verifications body redirects",
  deliverVerification: "POST /v2/1-click/verifications/{uuid}/deliver body",
  submitVerificationCode: "POST /v2/1-click/verifications/{uuid}/verify body",
  readVerification: "GET /v2/1-click/verifications/{uuid}",
  createSession: "POST /v2/client/1-click body",
  createHealthLookup: "POST /v2/1-click/health body",
  readHealthLookup: "GET /v2/1-click/health/{healthDataUuid}",
  listPayers: "GET /v2/1-click/health/payers query",
  issueCredentials: "POST /v2/credentials body",
  readCredential: "GET /v2/credentials/{id}",
  changeCredential: "PATCH /v2/credentials/{id} body",
  readSchemaLibrary: "GET /v2/jsonSchema",
  readSchema: "GET /v2/jsonSchema/{type}",
};
