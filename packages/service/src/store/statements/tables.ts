import type { AuditVia } from "@countersign/contract/audit";
import type { BrandSettings } from "@countersign/contract/brand";
import type { CredentialType } from "@countersign/contract/credential";
import type { ErrorCode } from "@countersign/contract/errors";
import type { MemberRole } from "@countersign/contract/member";
import type { OperatorRole } from "@countersign/contract/operator-role";
import type { WebhookEventName } from "@countersign/contract/webhook";
import type { ColumnType, Generated } from "kysely";
import type { columnTypes, DefaultColumns, NullableColumns } from "./columns.generated.ts";

/**
 * A jsonb column. It is read as a value and written as text, because the driver would write an array as a PostgreSQL
 * array.
 */
type Json<Value> = ColumnType<Value, string | Extract<Value, null>, string | Extract<Value, null>>;

/** One change of a member of an object: its path, and its values before and after. */
export type Change = { path: string; from?: string; to?: string };

export type StoredPayer = {
  name: string;
  /** Our own ID; it never changes. */
  vendorId: string;
  /** Element 0 is the primary id. */
  ids: string[];
  aliases: string[];
  /** A picture that the operator chose. */
  logoUrl?: string;
  operatingStates: string[];
  coverageTypes: ("medical" | "dental" | "vision")[];
  eligibilitySupport: "SUPPORTED" | "ENROLLMENT_REQUIRED" | "NOT_SUPPORTED";
  kind: string;
  groups: string[];
};

/** `temporary`: the answer was temporary, and the call may be made again. `lost`: the answer is unknown. */
export type PaidCallState = "calling" | "answered" | "temporary" | "lost";

export type JourneyName =
  | "v1Hosted"
  | "v1NonHosted"
  | "v1Trusted"
  | "v2Hosted"
  | "v2SemiHosted"
  | "v2NonHosted"
  | "v21Sdk"
  | "v21Api"
  | "openid";

type VerificationChannel = "autofill" | "silent" | "sms" | "textToSignup";
type VerificationStatus = "pending" | "sending" | "delivered" | "verified" | "failed";

/** Columns whose type is narrower than the schema says. Null is added where the schema allows it. */
type NarrowColumns = {
  account_audit: { via: AuditVia; changes: Change[] };
  audit: { detail: unknown };
  brand_logo: { type: "png" | "jpg" };
  brand_mode: { mode: "readOnly" | "stopped" };
  brand_settings: { settings: BrandSettings };
  consent: {
    /**
     * A declaration in the brand's settings, a statement in one of its requests, the person's own click, or the
     * operator, whom the person asked.
     */
    source: "brandDeclaration" | "brandRequest" | "wallet" | "operator";
  };
  conversion_alarm: { kind: "brand" | "block" | "signIn" | "signInBlock" };
  health_lookup: { state: "pending" | "processing" | "offered" | "succeeded" | "partial" | "failed" };
  health_call: { state: PaidCallState };
  issued_credential: { type: CredentialType; status: "valid" | "revoked" };
  job: { payload: Record<string, string> };
  member: { role: MemberRole };
  member_session: { method: "code" | "link" | "passkey" | "openid" };
  message: { channel: "sms"; status: "queued" | "superseded" | "sent" | "delivered" | "failed" };
  one_click: {
    journey: JourneyName;
    state: "awaitingProof" | "awaitingInputs" | "awaitingDecision" | "released" | "declined" | "refused";
    phone_method: "otp" | "customer_otp" | "phone_carrier";
    refusal: ErrorCode;
  };
  operator: { role: OperatorRole };
  operator_session: { method: "link" | "passkey" | "openid" };
  payer: { payer: StoredPayer };
  risk_sighting: { kind: "email" | "deviceIp" };
  takeout: { ended_by: "person" | "issuer" };
  text_result: { outcome: "accepted" | "delivered" | "failed" };
  verification: {
    channel: VerificationChannel;
    format: "code" | "link" | "codeAndLink" | "linkAndCode";
    status: VerificationStatus;
    redirect_user_after: "phoneVerification" | "infoConfirmation";
  };
  verification_past: { channel: VerificationChannel; status: VerificationStatus };
  webhook_endpoint: { events: WebhookEventName[] };
  webhook_delivery: { status: "pending" | "delivered" | "deadLettered" };
};

/** The TypeScript type of each PostgreSQL type. Timestamps are `bigint`: Unix milliseconds, always a safe integer. */
type Values = {
  uuid: string;
  text: string;
  bigint: number;
  integer: number;
  boolean: boolean;
  bytea: Buffer;
  jsonb: unknown;
  "text[]": string[];
  "bytea[]": Buffer[];
  "integer[]": number[];
};

type TableName = keyof typeof columnTypes;
type TypeName<
  Table extends TableName,
  Name extends keyof (typeof columnTypes)[Table],
> = (typeof columnTypes)[Table][Name];

type Value<Table extends TableName, Name extends keyof (typeof columnTypes)[Table]> =
  | (Table extends keyof NarrowColumns
      ? Name extends keyof NarrowColumns[Table]
        ? NarrowColumns[Table][Name]
        : Values[TypeName<Table, Name> & keyof Values]
      : Values[TypeName<Table, Name> & keyof Values])
  | (Name extends NullableColumns[Table] ? null : never);

type Column<Table extends TableName, Name extends keyof (typeof columnTypes)[Table]> =
  TypeName<Table, Name> extends "jsonb"
    ? Json<Value<Table, Name>>
    : Name extends DefaultColumns[Table]
      ? Generated<Value<Table, Name>>
      : Value<Table, Name>;

/** Rows of every table in `docs/schema.sql`. */
export type Tables = {
  [Table in TableName]: { [Name in keyof (typeof columnTypes)[Table]]: Column<Table, Name> };
};
