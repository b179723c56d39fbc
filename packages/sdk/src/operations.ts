// Generated from docs/api/v2.json: `npm run generate` writes it.

import type {
  GivenData,
  IssuedCredential,
  OneClickEntity,
  OneClickRequest,
  SessionRequest,
  VerificationEntity,
} from "./entities.ts";
import type { HealthEntity, HealthRequest, Payer } from "./health.ts";

/** Options of one call: a timeout in milliseconds, a signal that aborts it, additional headers. */
export type CallOptions = { timeoutMs?: number; signal?: AbortSignal; headers?: Record<string, string> };

/** The URL to open on the person's device, which can follow it once, within 60 seconds. */
export type DeviceRedirect = { location: string };

/** The calls of a brand's server. Every call rejects with a `CountersignError`. Instants are Unix milliseconds. */
export type CountersignApi = {
  /**
   * Source a person's identity.
   *
   * The brand's integration type decides the answer: `uuid` and `identity` (API, Non-Hosted), `uuid`, `url` and
   * `code` (Hosted), or `uuid` and `code` (Semi-Hosted). Members of other types are absent. With `phone` you
   * assert that you verified the phone; with `verificationUuid` the service verified it. An empty
   * `credentialRequests` returns only metadata. `identityUuid` continues one of your earlier 1-Clicks.
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
    /** Hosted: the person's page; an opaque URL without code, phone or uuid */
    url?: string;
    /** Hosted and Semi-Hosted: the code that you text to the person */
    code?: string;
  }>;

  /**
   * Read a 1-Click again.
   *
   * Readable for 60 minutes after the answer or the decision. The person can see each read.
   *
   * Errors: ERR001, OCE007, OCE008, OCE009, OCE011, OCE012, OCE013, OCE015, OCE017, OCE018, OCE019.
   */
  readOneClick(
    uuid: string,
    query?: {
      /** Semi-Hosted: the code that the person typed */
      code?: string;
    },
    options?: CallOptions,
  ): Promise<OneClickEntity>;

  /**
   * Complete a 1-Click (Semi-Hosted).
   *
   * Use it after OCE011, within 30 minutes of the POST, once the code was accepted. The body accepts every input
   * that `data.additionalInputs` can name; `fullName.firstName` is sent as `{ "fullName": { "firstName": … } }`.
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
   * Without `deviceIp` the device channels are not available. This is only a preview; you may also try a channel
   * directly.
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
   * For `sms` the answer is the verification; nothing is sent before `deliver`. For `autofill` and `silent` the
   * answer is 302: do not follow the redirect, but give its `Location` to the person's device, which follows it
   * once, within 60 seconds.
   *
   * Errors: ERR001, OCV006, OCV009, OCV011.
   */
  createVerification(
    body: {
      channel: string;

      phone?: string;
      deviceIp?: string;
    },
    options?: CallOptions,
  ): Promise<VerificationEntity>;
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
   * At most three times. Each text has a new code and invalidates the previous one. It restores neither the
   * attempts nor the time.
   *
   * Errors: ERR001, OCV003, OCV004, OCV005, OCV011.
   */
  deliverVerification(
    uuid: string,
    body?: {
      format?: "code" | "link" | "codeAndLink" | "linkAndCode";
      /** The URL to which the link finally redirects; the settings must allow it */
      redirectUrl?: string;
      redirectUserAfter?: "phoneVerification" | "infoConfirmation";
    },
    options?: CallOptions,
  ): Promise<VerificationEntity>;

  /**
   * Submit the code the person typed.
   *
   * Three attempts; a right code also uses one.
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
   * Create a session key for the SDK.
   *
   * For brands of type SDK. The key opens one session, once, within 60 minutes. The body is optional.
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
   * Answers at once, while the work continues. Without `memberId`, plans are discovered from the person's data,
   * and checked with the payer if `checkAfterAutofill` is on. With `memberId` and `payer`, that plan is checked.
   * `identityUuid` takes the person's data from your 1-Click; members of this request override it.
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
   * `PENDING` and `PROCESSING`: ask again in two seconds, or wait for the webhook. Final: `SUCCEEDED`, `PARTIAL`
   * (plans and `errors`), `FAILED` (only `errors`). Readable for 60 minutes after the final state.
   */
  readHealthLookup(healthDataUuid: string, options?: CallOptions): Promise<HealthEntity>;

  /**
   * The known payers.
   *
   * Without a query parameter, an array of all payers; with any, a page (`$paginate=false` turns that off).
   * `$search` finds by name, id and alias, and tolerates small typos.
   *
   * Errors: ERR001.
   */
  listPayers(
    query?: {
      $search?: string;
      /** 1 to 100; default 10 */
      $limit?: string;
      /** Default 0. Beyond the end the page is empty. */
      $skip?: string;
      $paginate?: "true" | "false";
    },
    options?: CallOptions,
  ): Promise<{ total: number; limit: number; skip: number; data: Payer[] } | Payer[]>;

  /**
   * Issue credentials to a person.
   *
   * You need the operator's approval `issuance` (given in the sandbox) and the person's consent: declare it with
   * `consent`, or once in your settings (`consent.declared`). All credentials are stored or none; `data.errors`
   * lists each problem. Identify the person by `phone`, `email` or both, which you verified; giving both links
   * them. Your own `id` makes a repeated call harmless: it gets 409. `verificationMethod` and other members that
   * are not described here are ignored.
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
        data: GivenData;
        /** Unix time, milliseconds */
        expirationDate?: number;
      }[];
      /** Echoed, not kept */
      trackingId?: string;
      consent?: {
        /** Which text was agreed to */
        version: string;
        /** Where you got the consent, such as `signup-form`; no personal data */
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
   * `data` is replaced as a whole. `id` and date of issuance stay. Values that were already shared do not change.
   *
   * Errors: ERR001.
   */
  changeCredential(
    id: string,
    body: { data?: GivenData; expirationDate?: number | null; status?: "valid" | "revoked" },
    options?: CallOptions,
  ): Promise<IssuedCredential>;

  /**
   * The schema library: every credential type.
   *
   * A flat map from type to schema. The schema of a name never changes.
   */
  readSchemaLibrary(options?: CallOptions): Promise<Record<string, unknown>>;

  /** The schema of one credential type. */
  readSchema(type: string, options?: CallOptions): Promise<Record<string, unknown>>;
};

/** Method and path, then whether a call has a body or a query, and whether it may answer with a redirect. */
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
