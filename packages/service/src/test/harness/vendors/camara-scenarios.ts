import { createHash } from "node:crypto";
import { line, otherLine } from "./camara-journey.ts";
import type { Twist } from "./camara-simulator.ts";

/**
 * One of CAMARA's published scenarios: the request to the operator, the answer it must give, and the adapter's result.
 */
export type Scenario = {
  id: string;
  operation: "verify" | "share";
  /** How the token is issued. `null` sends no token; a string is sent as is. */
  token: { amr?: "nba" | "otp"; scope?: string; lifeMs?: number; line?: null } | string | null;
  body?: object | null;
  status: number;
  /** `$.code` of an error, or members of a successful answer. */
  says: string | Record<string, unknown>;
  adapter: {
    twist?: Twist;
    hashed?: boolean;
    phone?: typeof line;
    proves: boolean;
    /** Why the adapter is tested only with the operator's answer: it never sends such a request itself. */
    answerOnly?: string;
  };
};

const hash = (phone: string) => createHash("sha256").update(phone).digest("hex");
const refused = (status: number, code: string): Twist => ({
  apiReply: { status, body: { status, code, message: "no" } },
});
const validNumberOnly = "the adapter always sends exactly one valid number";
const newTokenOnly = "the adapter always sends the token that it just received";
const badArgument = { proves: false, twist: refused(400, "INVALID_ARGUMENT"), answerOnly: validNumberOnly };
const notAuthenticated = { proves: false, twist: refused(401, "UNAUTHENTICATED"), answerOnly: newTokenOnly };
const expired = { proves: false, twist: { tokenLifeMs: 0 } };
const withoutScope = { proves: false, twist: { scope: "openid" } };
const byCode = { proves: false, twist: { amr: "otp" as const } };
const notByNetwork = "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK";

// biome-ignore format: a table
const verify: Omit<Scenario, "operation">[] = [
  { id: "verify_01 any success", token: {}, body: { phoneNumber: line }, status: 200, says: {}, adapter: { proves: true } },
  { id: "verify_02 the token's number", token: {}, body: { phoneNumber: line }, status: 200, says: { devicePhoneNumberVerified: true }, adapter: { proves: true } },
  { id: "verify_03 another number", token: {}, body: { phoneNumber: otherLine }, status: 200, says: { devicePhoneNumberVerified: false }, adapter: { proves: false, phone: otherLine } },
  { id: "verify_04 the hash of the token's number", token: {}, body: { hashedPhoneNumber: hash(line) }, status: 200, says: { devicePhoneNumberVerified: true }, adapter: { proves: true, hashed: true } },
  { id: "verify_05 the hash of another number", token: {}, body: { hashedPhoneNumber: hash(otherLine) }, status: 200, says: { devicePhoneNumberVerified: false }, adapter: { proves: false, hashed: true, phone: otherLine } },
  { id: "verify_400.1 no body", token: {}, body: null, status: 400, says: "INVALID_ARGUMENT", adapter: badArgument },
  { id: "verify_400.2 an empty body", token: {}, body: {}, status: 400, says: "INVALID_ARGUMENT", adapter: badArgument },
  { id: "verify_400.3 another property", token: {}, body: { additional_property: "foo_value" }, status: 400, says: "INVALID_ARGUMENT", adapter: badArgument },
  { id: "verify_400.4 number and hash", token: {}, body: { phoneNumber: line, hashedPhoneNumber: hash(line) }, status: 400, says: "INVALID_ARGUMENT", adapter: badArgument },
  { id: "verify_401.1 no Authorization", token: null, body: { phoneNumber: line }, status: 401, says: "UNAUTHENTICATED", adapter: notAuthenticated },
  { id: "verify_401.2 an expired token", token: { lifeMs: 0 }, body: { phoneNumber: line }, status: 401, says: "UNAUTHENTICATED", adapter: expired },
  { id: "verify_401.3 an invalid token", token: "nonsense", body: { phoneNumber: line }, status: 401, says: "UNAUTHENTICATED", adapter: notAuthenticated },
  { id: "verify_403.1 without the scope", token: { scope: "openid" }, body: { phoneNumber: line }, status: 403, says: "PERMISSION_DENIED", adapter: withoutScope },
  { id: "verify_403.2 not authenticated by the network", token: { amr: "otp" }, body: { phoneNumber: line }, status: 403, says: notByNetwork, adapter: byCode },
  { id: "verify_C02.01 an invalid number", token: { line: null }, body: { phoneNumber: "650253" }, status: 400, says: "INVALID_ARGUMENT", adapter: badArgument },
];
// biome-ignore format: a table
const share: Omit<Scenario, "operation">[] = [
  { id: "share_01 any success", token: {}, status: 200, says: {}, adapter: { proves: true } },
  { id: "share_02 the token's number", token: {}, status: 200, says: { devicePhoneNumber: line }, adapter: { proves: true } },
  { id: "share_401.1 no Authorization", token: null, status: 401, says: "UNAUTHENTICATED", adapter: notAuthenticated },
  { id: "share_401.2 an expired token", token: { lifeMs: 0 }, status: 401, says: "UNAUTHENTICATED", adapter: expired },
  { id: "share_401.3 an invalid token", token: "nonsense", status: 401, says: "UNAUTHENTICATED", adapter: notAuthenticated },
  { id: "share_403.1 without the scope", token: { scope: "openid" }, status: 403, says: "PERMISSION_DENIED", adapter: withoutScope },
  { id: "share_403.2 not authenticated by the network", token: { amr: "otp" }, status: 403, says: notByNetwork, adapter: byCode },
];

/** Number Verification v2.1: 15 scenarios of `phoneNumberVerify`, 7 of `phoneNumberShare`. */
export const scenarios: Scenario[] = [
  ...verify.map((one) => ({ ...one, operation: "verify" as const })),
  ...share.map((one) => ({ ...one, operation: "share" as const })),
];
