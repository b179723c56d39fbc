import type { BrandSettings } from "@countersign/contract/brand";
import type { CredentialType } from "@countersign/contract/credential";
import type { ErrorCode } from "@countersign/contract/errors";
import type { Generated } from "kysely";
import type { Json, MemberTables } from "./tables-member.ts";
import type { ProductionTables } from "./tables-production.ts";

type StoredRequest = {
  type: CredentialType;
  mandatory: "yes" | "no" | "if_available";
  multi: boolean;
  description?: string;
  allowUserInput: boolean;
  issuers: string[];
  children?: StoredRequest[];
};
type JourneyName =
  | "v1Hosted"
  | "v1NonHosted"
  | "v1Trusted"
  | "v2Hosted"
  | "v2SemiHosted"
  | "v2NonHosted"
  | "v21Sdk"
  | "v21Api";
type BrandSettingsRow = {
  brand_uuid: string;
  environment: string;
  version: number;
  settings: Json<BrandSettings>;
  created_at: number;
};
type ApiKeyRow = {
  uuid: string;
  brand_uuid: string;
  environment: string;
  name: string;
  hash: Buffer;
  last_four: string;
  ip_ranges: Generated<string[]>;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
  ends_at: Generated<number | null>;
};
type VerificationRow = {
  uuid: string;
  environment: string;
  /** Null: the service itself requested this verification, for the person's own page. */
  brand_uuid: string | null;
  person_uuid: string | null;
  data_key_uuid: string;
  channel: "autofill" | "silent" | "sms" | "textToSignup";
  format: "code" | "link" | "codeAndLink" | "linkAndCode" | null;
  status: "pending" | "sending" | "delivered" | "verified" | "failed";
  sealed: Buffer;
  code_hmac: Buffer | null;
  /** The brand received the code in order to text it. */
  code_shown_to_brand: Generated<boolean>;
  attempts_used: Generated<number>;
  deliveries: Generated<number>;
  created_at: number;
  expires_at: number;
  kept_until: number;
  delivered_at: number | null;
  verified_at: number | null;
  device_token_hash: Buffer | null;
  device_token_until: number | null;
  carrier_state_hash: Buffer | null;
  carrier_state_until: number | null;
  link_hash: Buffer | null;
  redirect_user_after: "phoneVerification" | "infoConfirmation" | null;
  denied_at: number | null;
};
/** What remains of an erased verification: no person and no ID. */
type PastVerificationRow = Pick<
  VerificationRow,
  "environment" | "channel" | "status" | "created_at" | "expires_at" | "delivered_at"
> & { brand_uuid: string; attempts_used: number; deliveries: number; texts_sent: number | null };
type SessionRow = {
  uuid: string;
  environment: string;
  brand_uuid: string;
  verification_uuid: string | null;
  data_key_uuid: string;
  key_hash: Buffer;
  token_hash: Buffer | null;
  sealed: Buffer | null;
  created_at: number;
  opened_at: number | null;
  expires_at: number;
  phones_used: Generated<number>;
  device_verification_uuid: string | null;
  one_click_uuid: string | null;
};
type OneClickRow = {
  uuid: string;
  environment: string;
  brand_uuid: string;
  person_uuid: string | null;
  data_key_uuid: string;
  verification_uuid: string | null;
  journey: JourneyName;
  state: "awaitingProof" | "awaitingInputs" | "awaitingDecision" | "released" | "declined" | "refused";
  phone_method: "otp" | "customer_otp" | "phone_carrier" | null;
  settings_version: number;
  /** The request tree in the domain's format. */
  request_tree: Json<StoredRequest[]>;
  refusal: ErrorCode | null;
  sealed: Buffer | null;
  created_at: number;
  answered_at: number | null;
  first_read_at: number | null;
  expires_at: number;
  erased_at: number | null;
  page_hash: Buffer | null;
  page_session_hash: Buffer | null;
  inputs_asked_at: number | null;
  risk_scored: Generated<boolean>;
};
type MessageRow = {
  uuid: string;
  environment: string;
  brand_uuid: string | null;
  person_uuid: string | null;
  verification_uuid: string | null;
  data_key_uuid: string;
  channel: "sms";
  to_index: Buffer;
  status: "queued" | "superseded" | "sent" | "delivered" | "failed";
  sealed: Buffer | null;
  created_at: number;
  sent_at: number | null;
  number: Generated<number>;
};
type AuditRow = {
  id: Generated<number>;
  environment: string;
  at: number;
  action: string;
  brand_uuid: string | null;
  api_key_uuid: string | null;
  person_uuid: string | null;
  one_click_uuid: string | null;
  verification_uuid: string | null;
  request_id: string | null;
  detail: Json<unknown>;
};
type ConsentRow = {
  uuid: string;
  environment: string;
  at: number;
  action: string;
  /** A declaration in the brand's settings, a statement in one of its requests, or the person's own click. */
  source: "brandDeclaration" | "brandRequest" | "wallet";
  brand_uuid: string | null;
  person_uuid: string | null;
  phone_index: Buffer | null;
  email_index: Buffer | null;
  /** Keyed hash that replaces both indexes for a former holder of the phone. Only this person's rows share it. */
  evidence_hash: Buffer | null;
  one_click_uuid: string | null;
  version: string;
  language: string | null;
  words: string | null;
  url: string | null;
  obtained_at: number | null;
  origin: string | null;
};
type AccountSessionRow = {
  uuid: string;
  environment: string;
  person_uuid: string;
  customer_uuid: string | null;
  token_hash: Buffer;
  sealed: Buffer;
  device: string;
  created_at: number;
  used_at: number;
  expires_at: number;
  proven_until: number | null;
};
type IssuedCredentialRow = {
  environment: string;
  uuid: string;
  issuance: number;
  position: number;
  brand_uuid: string;
  person_uuid: string;
  data_key_uuid: string;
  phone_index: Buffer | null;
  email_index: Buffer | null;
  fixed_person: boolean;
  type: CredentialType;
  status: "valid" | "revoked";
  sealed: Buffer;
  issued_at: number;
  updated_at: number;
  expires_at: number | null;
};
type LedgerEntryRow = {
  id: Generated<number>;
  environment: string;
  at: number;
  kind: string;
  brand_uuid: string;
  person_uuid: string | null;
  subject_uuid: string;
  cause_uuid: string;
  detail: Json<unknown>;
};

type HealthLookupRow = {
  uuid: string;
  environment: string;
  brand_uuid: string;
  api_key_uuid: string | null;
  request_id: string;
  person_uuid: string | null;
  one_click_uuid: string | null;
  data_key_uuid: string;
  settings_version: number;
  state: "pending" | "processing" | "offered" | "succeeded" | "partial" | "failed";
  held: Generated<boolean>;
  sealed: Buffer | null;
  sealed_result: Buffer | null;
  created_at: number;
  finished_at: number | null;
  expires_at: number | null;
  erased_at: number | null;
  /** Numbers of source queries that were started, each counted once. Billing uses them. */
  autofills: Generated<number>;
  checks: Generated<number>;
};
type HealthStepRow = {
  lookup_uuid: string;
  name: string;
  /** `again`: answered, and may be called once more. */
  state: "calling" | "answered" | "again" | "lost";
  attempts: number;
  control_number: number;
  called_at: number;
  sealed: Buffer | null;
};

/** Rows of every table in `docs/schema.sql`. Timestamps are Unix milliseconds. */
export type Tables = MemberTables &
  ProductionTables & {
    customer: { uuid: string; name: string; created_at: number };
    brand: { uuid: string; customer_uuid: string; name: string; created_at: number };
    brand_settings: BrandSettingsRow;
    brand_mode: { brand_uuid: string; environment: string; mode: "readOnly" | "stopped"; set_at: number };
    brand_approval: { brand_uuid: string; environment: string; approval: string; granted_at: number };
    api_key: ApiKeyRow;
    environment_clock: { environment: string; offset_ms: number };
    service_key: { purpose: string; version: number; master_key_id: string; wrapped: Buffer; created_at: number };
    data_key: {
      uuid: string;
      environment: string;
      master_key_id: string;
      wrapped: Buffer | null;
      created_at: number;
      destroyed_at: number | null;
    };
    person: {
      uuid: string;
      environment: string;
      phone_index: Buffer | null;
      email_index: Buffer | null;
      index_key_version: number;
      generation: number;
      data_key_uuid: string;
      first_seen_at: number;
      last_proven_at: number | null;
      sealed: Buffer | null;
    };
    verification: VerificationRow;
    verification_past: PastVerificationRow;
    one_click: OneClickRow;
    health_lookup: HealthLookupRow;
    health_step: HealthStepRow;
    webhook_endpoint: {
      uuid: string;
      environment: string;
      brand_uuid: string;
      data_key_uuid: string;
      sealed: Buffer;
      previous_secret_until: number | null;
      created_at: number;
      disabled_at: number | null;
      deleted_at: number | null;
      failing_since: number | null;
      heard_at: number | null;
    };
    listener_offer: {
      delivery_uuid: string;
      endpoint_uuid: string;
      started_at: number;
      taken: Generated<boolean>;
      http_status: number | null;
      error: string | null;
      duration_ms: number | null;
    };
    webhook_delivery: {
      uuid: string;
      environment: string;
      brand_uuid: string;
      endpoint_uuid: string | null;
      event: string;
      subject_uuid: string;
      data_key_uuid: string;
      sealed: Buffer | null;
      status: "pending" | "delivered" | "deadLettered";
      attempts: Generated<number>;
      created_at: number;
      next_attempt_at: number | null;
      finished_at: number | null;
      is_test: Generated<boolean>;
    };
    webhook_attempt: {
      id: Generated<number>;
      delivery_uuid: string;
      at: number;
      http_status: number | null;
      error: string | null;
      duration_ms: number;
    };
    session: SessionRow;
    use_count: { environment: string; scope: string; key: Buffer; window_start: number; used: number };
    idempotent_answer: {
      uuid: string;
      environment: string;
      brand_uuid: string;
      endpoint: string;
      key_hash: Buffer;
      body_hash: Buffer;
      request_id: string;
      /** The verification, 1-Click or lookup that the answer is about, set once the answer is stored. */
      subject_uuid: string | null;
      data_key_uuid: string;
      sealed: Buffer | null;
      created_at: number;
    };
    challenge_attempt: {
      environment: string;
      phone_index: Buffer;
      brand_uuid: string;
      input: string;
      value_hmac: Buffer;
      at: number;
    };
    message: MessageRow;
    job: {
      id: Generated<number>;
      environment: string;
      name: string;
      subject: string;
      payload: Json<Record<string, string>>;
      due_at: number;
      attempts: Generated<number>;
      leased_until: Generated<number>;
      failed_at: number | null;
      lane: string | null;
      /** See `store/live-processes.ts`. */
      claimed_by: Generated<number | null>;
    };
    brand_logo: {
      brand_uuid: string;
      environment: string;
      hash: Buffer;
      type: "png" | "jpg";
      bytes: Buffer;
      created_at: number;
    };
    audit: AuditRow;
    consent: ConsentRow;
    issuance: { number: Generated<number>; environment: string; at: number; brand_uuid: string; consent_uuid: string };
    issued_credential: IssuedCredentialRow;
    account_session: AccountSessionRow;
    ledger_entry: LedgerEntryRow;
    request_log: {
      id: Generated<number>;
      environment: string;
      at: number;
      request_id: string;
      brand_uuid: string | null;
      api_key_uuid: string | null;
      method: string;
      route: string;
      status: number;
      error_code: string | null;
      latency_ms: number;
      subject_uuid: string | null;
      person_uuid: string | null;
      /** Members of the body that were ignored; null if there are none. */
      warnings: string[] | null;
    };
    rate_limit: { key: string; points: number; expire: number | null };
  };
