import { isUuid } from "@countersign/contract/primitives";
import type { FastifyRequest } from "fastify";
import { Failure } from "../domain/failure.ts";
import { PerRequest } from "./per-request.ts";

/**
 * The subject of a brand's call: the uuid and the phone that it names, or the uuid that it created. Kept in memory
 * only.
 */
export type Subject = { uuid?: string; phone?: string };

const subjects = new PerRequest<Subject>("subject");
/** The members that may contain a subject's uuid, in order of preference. */
const names = ["uuid", "healthDataUuid", "identityUuid", "verificationUuid", "id"] as const;

export function subjectOfRequest(request: FastifyRequest): Subject {
  return subjects.get(request) ?? {};
}

/** Notes the subject that a request names. `noteReplySubject` may replace it. */
export function noteRequestSubject(
  request: FastifyRequest,
  { params, body }: { params: unknown; body: unknown },
): void {
  const phone = memberOf(body, "phone");
  subjects.set(request, { uuid: uuidIn(params) ?? uuidIn(body), ...(phone === undefined ? {} : { phone }) });
}

/** Notes the uuid in an answer, or the subject of an error. */
export function noteReplySubject(request: FastifyRequest, answer: unknown): void {
  const uuid = answer instanceof Failure ? (answer.subject ?? uuidIn(answer.data)) : uuidIn(answer);
  if (uuid !== undefined) subjects.set(request, { ...subjectOfRequest(request), uuid });
}

function uuidIn(value: unknown): string | undefined {
  return names.map((name) => memberOf(value, name)).find((one) => one !== undefined && isUuid(one));
}

function memberOf(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === "string" ? found : undefined;
}
