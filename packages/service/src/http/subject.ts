import { isUuid } from "@countersign/contract/primitives";
import type { FastifyRequest } from "fastify";
import { Failure } from "../domain/failure.ts";

/** Whom a brand's call was about: what it made or named, and the phone it named. Both stay in memory. */
export type Subject = { uuid?: string; phone?: string };

const subjects = new WeakMap<FastifyRequest, Subject>();
/** Where a call names its subject, and an answer or a refusal the one it made: the first that is there counts. */
const names = ["uuid", "healthDataUuid", "identityUuid", "verificationUuid", "id"] as const;

export function subjectOf(request: FastifyRequest): Subject {
  return subjects.get(request) ?? {};
}

/** What was asked says whom it is about; what came of it says it better. */
export function noteAsked(request: FastifyRequest, { params, body }: { params: unknown; body: unknown }): void {
  const phone = memberOf(body, "phone");
  subjects.set(request, { uuid: namedIn(params) ?? namedIn(body), ...(phone === undefined ? {} : { phone }) });
}

/** An answer, or the refusal of one that can be gone on with. */
export function noteAnswered(request: FastifyRequest, answer: unknown): void {
  const uuid = namedIn(answer instanceof Failure ? answer.data : answer);
  if (uuid !== undefined) subjects.set(request, { ...subjectOf(request), uuid });
}

function namedIn(value: unknown): string | undefined {
  return names.map((name) => memberOf(value, name)).find((one) => one !== undefined && isUuid(one));
}

function memberOf(value: unknown, name: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === "string" ? found : undefined;
}
