import type { MemberRole } from "@countersign/contract/member";
import type { ColumnType, Generated } from "kysely";

/** A jsonb column: read as a value, written as text, because the driver would turn an array into a PostgreSQL array. */
export type Json<Value> = ColumnType<Value, string, string>;

/** One change of a member of an object: its path, and its values before and after. */
export type Change = { path: string; from?: string; to?: string };

/** Rows of a customer's account: its members, their sign-ins, and an audit of their changes. */
export type MemberTables = {
  member: {
    uuid: string;
    customer_uuid: string;
    data_key_uuid: string;
    email_index: Buffer | null;
    role: MemberRole;
    sealed: Buffer;
    created_at: number;
    joined_at: number | null;
    removed_at: number | null;
  };
  sign_in: {
    uuid: string;
    member_uuid: string | null;
    email_index: Buffer | null;
    code_hmac: Buffer | null;
    link_hash: Buffer | null;
    attempts_used: Generated<number>;
    created_at: number;
    expires_at: number;
    used_at: number | null;
  };
  member_session: {
    uuid: string;
    member_uuid: string;
    token_hash: Buffer;
    method: "code" | "link" | "passkey";
    device: string;
    created_at: number;
    last_used_at: number;
    expires_at: number;
  };
  passkey: {
    uuid: string;
    member_uuid: string;
    credential_id: string;
    public_key: Buffer;
    counter: number;
    transports: string[];
    name: string;
    is_synced: boolean;
    created_at: number;
    last_used_at: number | null;
  };
  passkey_challenge: { uuid: string; member_uuid: string | null; challenge: string; expires_at: number };
  mail: {
    uuid: string;
    customer_uuid: string;
    member_uuid: string;
    data_key_uuid: string;
    sealed: Buffer;
    sent_at: number;
    number: Generated<number>;
  };
  account_audit: {
    id: Generated<number>;
    at: number;
    customer_uuid: string;
    member_uuid: string | null;
    brand_uuid: string | null;
    environment: string | null;
    action: string;
    about_member_uuid: string | null;
    subject: string | null;
    settings_version: number | null;
    request_id: string | null;
    changes: Json<Change[]>;
  };
  approval_request: {
    uuid: string;
    brand_uuid: string;
    member_uuid: string;
    created_at: number;
    confirmed: string[];
    note: string;
  };
  name_request: {
    uuid: string;
    customer_uuid: string;
    brand_uuid: string | null;
    environment: string;
    path: string;
    value: string;
    requested_at: number;
  };
};
