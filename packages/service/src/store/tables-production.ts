import type { Json } from "./tables-member.ts";

export type StoredPayer = {
  name: string;
  /** Our own ID; it never changes. */
  vendorId: string;
  /** Element 0 is the primary id. */
  ids: string[];
  aliases: string[];
  operatingStates: string[];
  coverageTypes: ("medical" | "dental" | "vision")[];
  eligibilitySupport: "SUPPORTED" | "ENROLLMENT_REQUIRED" | "NOT_SUPPORTED";
  kind: string;
  groups: string[];
};

/** Rows of text opt-outs, pumping alarms, risk data and payers. */
export type ProductionTables = {
  text_stop: { environment: string; phone_index: Buffer; stopped: boolean; at: number; heeded: Buffer[] };
  conversion_alarm: {
    environment: string;
    kind: "brand" | "block" | "signIn" | "signInBlock";
    key: Buffer;
    window_start: number;
    brand_uuid: string | null;
    raised_at: number;
    sent: number;
    verified: number;
  };
  risk_sighting: {
    environment: string;
    kind: "email" | "deviceIp";
    value_hash: Buffer;
    phone_hash: Buffer;
    at: number;
  };
  payer: { vendor_id: string; position: number; payer: Json<StoredPayer>; synced_at: number };
};
