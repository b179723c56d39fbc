import type { ErrorEnvelope } from "@countersign/contract/errors";
import { statusNames } from "@countersign/contract/errors";
import type { FastifyError } from "fastify";
import { Failure, fail, outageOf, refuse } from "../domain/failure.ts";

/** The body of a failure: five keys, with the request's id in `data`. */
export function envelope(failure: Failure, requestId: string): ErrorEnvelope {
  const names = statusNames[failure.status] ?? { name: "GeneralError", className: "general-error" };
  return {
    name: names.name,
    message: failure.message,
    code: failure.status,
    className: names.className,
    data: { ...failure.data, requestId },
  };
}

/** The same data as RFC 9457 problem details. `code`, `data` and the other keys are extension members. */
export function problem(body: ErrorEnvelope): Record<string, unknown> {
  const { name, message, code, data } = body;
  const { errorCode } = data;
  const type = errorCode === undefined ? "about:blank" : `urn:countersign:error:${errorCode}`;
  return { type, title: name, status: code, detail: message, instance: `urn:uuid:${data.requestId}`, ...body };
}

/**
 * Converts a thrown error to the failure that the caller gets. An unexpected error reveals nothing; the log has its
 * details under the request's id.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isFrameworkError(error)) return frameworkFailure(error.statusCode);
  return outageOf(error) ?? new Failure(500, "An unexpected error occurred. Report it with the request id.", {});
}

function isFrameworkError(error: unknown): error is FastifyError & { statusCode: number } {
  return (
    error instanceof Error && "statusCode" in error && typeof error.statusCode === "number" && error.statusCode < 500
  );
}

function frameworkFailure(status: number): Failure {
  if (status === 413) return refuse(413, "The body is larger than this endpoint accepts.");
  if (status === 414) return new Failure(414, "A part of the path is too long.", {});
  if (status === 415) return refuse(415, "The body must be application/json.");
  if (status === 404 || status === 405) return refuse(status, "There is nothing under this path.");
  return fail("ERR001", {}, "The request could not be read.");
}
