import { catalogue, type ErrorCode, type ErrorData } from "@countersign/contract/errors";
import { isDatabaseOutage } from "../store/outage.ts";

/** One thing that is wrong with what was sent: its path, such as `body.phone`, and a sentence. */
export type Problem = { path: string; message: string };

/** A refusal that the caller is told about. Whatever else is thrown is a breakdown: 500, details in the log only. */
export class Failure extends Error {
  override name = "Failure";
  readonly status: number;
  readonly data: Record<string, unknown>;
  readonly headers: Record<string, string>;

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

/** A business error from the catalogue: `throw fail("OCV001", { attemptsRemaining, expiresAt })`. */
export function fail<Code extends ErrorCode>(errorCode: Code, data: ErrorData<Code>, message?: string): Failure {
  const row = catalogue[errorCode];
  return new Failure(row.status, message ?? row.message, { errorCode, ...data });
}

/** Seconds after which whoever met a vendor that was down may ask again. */
const vendorRetrySeconds = "5";

/** What a vendor says while somebody waits for it; one that breaks down is 503, and the log says how it did. */
export async function answerOf<Answer>(vendor: Promise<Answer>): Promise<Answer> {
  try {
    return await vendor;
  } catch (cause) {
    const headers = { "retry-after": vendorRetrySeconds };
    throw new Failure(503, "A source that this needs is not available at the moment.", {}, headers, { cause });
  }
}

/** Problems that one answer names; a hostile body has more than anybody reads. */
const problemsMax = 50;

/** The request is not what the endpoint accepts. */
export function invalid(errors: Problem[], message = "validation failed"): Failure {
  return fail("ERR001", { errors: errors.slice(0, problemsMax) }, message);
}

/** A refusal that has a status but no code of its own. */
export function refuse(
  status: 401 | 403 | 404 | 405 | 409 | 413 | 415 | 418 | 422 | 429 | 503,
  message: string,
  headers: Record<string, string> = {},
): Failure {
  return new Failure(status, message, {}, headers);
}

/** What a database that is away comes to; null for any other failure. */
export function outageOf(error: unknown): Failure | null {
  if (!isDatabaseOutage(error)) return null;
  return refuse(503, "The service is not available at the moment.", { "retry-after": "1" });
}
