import { catalog, type ErrorCode, type ErrorData } from "@countersign/contract/errors";
import { isRetiredMasterKey } from "../store/master-key-rows.ts";
import { isDatabaseOutage } from "../store/outage.ts";

/** One validation problem: its path, such as `body.phone`, and a message. */
export type Problem = { path: string; message: string };

/** An error that is reported to the caller. Any other thrown error becomes 500, with details in the log only. */
export class Failure extends Error {
  override name = "Failure";
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly headers: Record<string, string>;
  /** The uuid of the stored object that the error is about, for the request log. The answer does not have it. */
  subject: string | undefined;

  constructor(
    status: number,
    message: string,
    data: Record<string, unknown>,
    headers: Record<string, string> = {},
    options: ErrorOptions = {},
  ) {
    super(message, options);
    this.status = status;
    this.data = data;
    this.headers = headers;
  }
}

/** An error from the catalog: `throw fail("OCV001", { attemptsRemaining, expiresAt })`. */
export function fail<Code extends ErrorCode>(errorCode: Code, data: ErrorData<Code>, message?: string): Failure {
  const row = catalog[errorCode];
  return new Failure(row.status, message ?? row.message, { errorCode, ...data });
}

/** `retry-after` of a 503 for an unavailable vendor, in seconds. */
const vendorRetrySeconds = "5";

/** Awaits a vendor's answer. If the vendor fails, the caller gets 503 and the log gets the cause. */
export async function orUnavailable<Answer>(vendor: Promise<Answer>): Promise<Answer> {
  try {
    return await vendor;
  } catch (cause) {
    const headers = { "retry-after": vendorRetrySeconds };
    throw new Failure(503, "A required data source is temporarily unavailable.", {}, headers, { cause });
  }
}

/** Maximum number of problems in one error. A hostile body can have any number of them. */
const problemsMax = 50;

/** ERR001: the request is invalid. */
export function invalid(errors: Problem[], message = "Validation failed"): Failure {
  return fail("ERR001", { errors: errors.slice(0, problemsMax) }, message);
}

/** The problems that an error of `invalid` names. */
export function problemsOf({ data }: Failure): Problem[] {
  return Array.isArray(data.errors) ? data.errors : [];
}

/** An error with a status but no error code. */
export function refuse(
  status: 401 | 403 | 404 | 405 | 409 | 413 | 415 | 418 | 422 | 429 | 503,
  message: string,
  headers: Record<string, string> = {},
): Failure {
  return new Failure(status, message, {}, headers);
}

/** Converts an outage of the database or of this process's master key to 503; null for any other error. */
export function outageOf(error: unknown): Failure | null {
  if (!isDatabaseOutage(error) && !isRetiredMasterKey(error)) return null;
  return refuse(503, "The service is temporarily unavailable.", { "retry-after": "1" });
}
