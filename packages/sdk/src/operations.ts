// Generated from docs/api/v2.json: `npm run generate` writes it.

import type { CredentialData, CredentialsOf, CredentialToIssue, IssuedCredential } from "./credentials.ts";
import type {
  CredentialRequest,
  DeviceChannel,
  OneClickEntity,
  OneClickRequest,
  SessionRequest,
  VerificationEntity,
} from "./entities.ts";
import type { HealthEntity, HealthRequest, Payer } from "./health.ts";

/** Options of one call. */
export type CallOptions = {
  /** Timeout of each attempt, in milliseconds. Default: the client's. */
  timeoutMs?: number;
  /** Aborts the call, also between two attempts. */
  signal?: AbortSignal;
  /** Additional headers. */
  headers?: Record<string, string>;
  /** How often the call is repeated at most. Default: the client's. */
  maxRetries?: number;
  /**
   * Your own `Idempotency-Key`, for calls that create something. Pass it if your process may repeat the call after a
   * restart. Default: a new UUID per call.
   */
  idempotencyKey?: string;
};

/** A verification by text message. */
export type SmsVerification = { channel: "sms"; phone: string; deviceIp?: string };

/** A verification by the carrier, which names the device's phone. */
export type AutofillVerification = { channel: "autofill"; deviceIp: string };

/** A verification by the carrier, which confirms a phone. */
export type SilentVerification = { channel: "silent"; phone: string; deviceIp: string };

/** The channels to try, in this order. The first one that can begin is used, and the answer names it. */
export type OrderedVerification = { channels: ("silent" | "autofill" | "sms")[]; phone?: string; deviceIp?: string };

export type VerificationRequest = SmsVerification | AutofillVerification | SilentVerification | OrderedVerification;

/** The URL to open on the person's device, which can follow it once, within 60 seconds. */
export type DeviceRedirect = { location: string };

/** The calls of a brand's server. Every call rejects with a `CountersignError`. Instants are Unix milliseconds. */
export type CountersignApi = {
  /**
   * Get a person's identity.
   *
   * The brand's integration type decides the answer: `uuid` and `identity` (API, Non-Hosted), `uuid`, `url` and
   * `code` (Hosted), or `uuid` and `code` (Semi-Hosted). Members of other types are absent. With `phone` you
   * assert that you verified the phone; with `verificationUuid` the service verified it. An empty
   * `credentialRequests` returns only metadata. `identityUuid` continues or reuses one of your earlier 1-Clicks.
   *
   * Errors: ERR001, OCE002, OCE003, OCE007, OCE011, OCE012, OCE013, OCE017, OCE019, OCE020, OCE021, OCV005.
   */
  createOneClick<const Requests extends readonly CredentialRequest[]>(
    body: Omit<OneClickRequest, "credentialRequests"> & { credentialRequests: Requests },
    options?: CallOptions,
  ): Promise<{
    /** The 1-Click's id. Read it again with this id. */
    uuid: string;
    /** The person's data (API, Non-Hosted). */
    identity?: OneClickEntity<CredentialsOf<Requests>>;
    /** Hosted: the person's page; an opaque URL without code, phone or uuid */
    url?: string;
    /** Hosted and Semi-Hosted: the code that you text to the person */
    code?: string;
  }>;
  createOneClick(
    body: OneClickRequest,
    options?: CallOptions,
  ): Promise<{
    /** The 1-Click's id. Read it again with this id. */
    uuid: string;
    /** The person's data (API, Non-Hosted). */
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
      /** The person's birth date, yyyy-MM-dd. */
      birthDate?: string;
      /** The last four digits of the person's social security number. */
      ssn4?: string;
      /** The person's name. Only `firstName` is compared with the records. */
      fullName?: {
        /** First name. */
        firstName?: string;
        /** Middle name. */
        middleName?: string;
        /** Last name. */
        lastName?: string;
      };
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
    query?: {
      /** The IP address of the person's device, from `GET /1-click/verifications/device-ip`. */
      deviceIp?: string;
    },
    options?: CallOptions,
  ): Promise<{
    /** The channels, in the order in which to try them. */
    channels: {
      /** The carrier names the device's phone. */
      autofill: DeviceChannel;
      /** The carrier confirms a given phone. */
      silent: DeviceChannel;
      /** A code or link in a text message. */
      sms: {
        /** Whether the channel can be used now. */
        available: boolean;
        /** Whether the brand's settings allow the channel. */
        brandApproved: boolean;
      };
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
  createVerification(body: SmsVerification, options?: CallOptions): Promise<VerificationEntity>;
  createVerification(body: AutofillVerification | SilentVerification, options?: CallOptions): Promise<DeviceRedirect>;
  createVerification(body: VerificationRequest, options?: CallOptions): Promise<VerificationEntity | DeviceRedirect>;

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
      /** What the text contains: the code, a link, or both in this order. Default: `code`. */
      format?: "code" | "link" | "codeAndLink" | "linkAndCode";
      /** The URL to which the link finally redirects; the settings must allow it. Ignored if the text has no link. */
      redirectUrl?: string;
      /**
       * When the link redirects: after the phone is verified, or after the person has confirmed the data. Default: the
       * brand's setting.
       */
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
  submitVerificationCode(
    uuid: string,
    body: {
      /** The six digits as the person typed them, also with separators. */
      code: string;
    },
    options?: CallOptions,
  ): Promise<VerificationEntity>;

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
    /** The key that your page passes to the SDK. */
    sessionKey: string;
  }>;

  /**
   * Find a person's health insurance, and check it.
   *
   * Answers at once, while the work continues. Without `memberId`, plans are discovered from the person's data,
   * and checked with the payer if `checkAfterAutofill` is on. With `memberId` and `payer`, that plan is checked.
   * `identityUuid` takes the person's data from your 1-Click; members of this request override it.
   *
   * Errors: ERR001, OCE015, OCE019.
   */
  createHealthLookup(
    body: HealthRequest,
    options?: CallOptions,
  ): Promise<{
    /** The lookup's id. Read the result with it. */
    healthDataUuid: string;
    /** Your own reference from the request. */
    externalReference?: string;
    /** The state of the lookup. */
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
      /** Text to find in names, ids and aliases. Small typos are tolerated. */
      $search?: string;
      /** 1 to 100; default 10 */
      $limit?: string;
      /** Default 0. Beyond the end the page is empty. */
      $skip?: string;
      /** `false` returns all matching payers as an array. */
      $paginate?: "true" | "false";
    },
    options?: CallOptions,
  ): Promise<
    | {
        /** How many payers match. */
        total: number;
        /** The largest number of payers on a page. */
        limit: number;
        /** How many payers come before this page. */
        skip: number;
        /** The payers of this page. */
        data: Payer[];
      }
    | Payer[]
  >;

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
      /** The person's email address, which you verified. */
      email?: string;
      /** The person's phone, which you verified. */
      phone?: string;
      /** The credentials to issue. All are stored, or none. */
      credentials: CredentialToIssue[];
      /** Echoed, not kept */
      trackingId?: string;
      /** The person's consent to this issuance. Not needed if your settings declare it. */
      consent?: {
        /** Which text was agreed to */
        version: string;
        /** Where you got the consent, such as `signup-form`; no personal data */
        source: string;
        /** When the person agreed, in Unix milliseconds */
        obtainedAt: number;
      };
    },
    options?: CallOptions,
  ): Promise<{
    /** The email address from the request. */
    email?: string;
    /** The phone from the request. */
    phone?: string;
    /** Your own reference from the request. */
    trackingId?: string;
    /** The issued credentials. */
    credentials: IssuedCredential[];
  }>;

  /**
   * Read a credential that you issued.
   *
   * Errors: ERR001.
   */
  readCredential(id: string, options?: CallOptions): Promise<IssuedCredential>;

  /**
   * Change, revoke or reinstate a credential that you issued.
   *
   * `data` is replaced as a whole. Values that were shared do not change. Without approval you can only revoke.
   *
   * Errors: ERR001.
   */
  changeCredential(
    id: string,
    body: {
      /** The new value. It replaces the old one as a whole. */
      data?: CredentialData;
      /** When the credential expires, in Unix milliseconds; `null` for never. */
      expirationDate?: number | null;
      /** `revoked` to stop sharing the credential, `valid` to reinstate it. */
      status?: "valid" | "revoked";
    },
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

/** Method and path, then whether a call takes a body, an `Idempotency-Key` or a query, and whether it may redirect. */
export const operations: { readonly [Name in keyof CountersignApi]: string } = {
  createOneClick: "POST /v2/1-click body key",
  readOneClick: "GET /v2/1-click/{uuid} query",
  amendOneClick: "PATCH /v2/1-click/{uuid} body",
  readChannels: "GET /v2/1-click/verifications/channels query",
  createVerification: "POST /v2.1/1-click/verifications body key redirects",
  deliverVerification: "POST /v2/1-click/verifications/{uuid}/deliver body",
  submitVerificationCode: "POST /v2/1-click/verifications/{uuid}/verify body",
  readVerification: "GET /v2/1-click/verifications/{uuid}",
  createSession: "POST /v2/client/1-click body key",
  createHealthLookup: "POST /v2/1-click/health body key",
  readHealthLookup: "GET /v2/1-click/health/{healthDataUuid}",
  listPayers: "GET /v2/1-click/health/payers query",
  issueCredentials: "POST /v2/credentials body key",
  readCredential: "GET /v2/credentials/{id}",
  changeCredential: "PATCH /v2/credentials/{id} body",
  readSchemaLibrary: "GET /v2/jsonSchema",
  readSchema: "GET /v2/jsonSchema/{type}",
};
