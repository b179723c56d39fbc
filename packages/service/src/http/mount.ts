import type { Endpoint, Input, Output } from "@countersign/contract/endpoint";
import { ErrorEnvelope } from "@countersign/contract/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { invalid } from "../domain/failure.ts";
import { type Check, compileCheck } from "../domain/validate.ts";

/** Answers 302: whoever asked goes on elsewhere. */
export class Redirect {
  readonly location: string;
  constructor(location: string) {
    this.location = location;
  }
}

/** What a handler of an endpoint does: read, call one flow, present. */
export type Handler<E extends Endpoint, Who> = (
  who: Who,
  input: Input<E>,
  request: FastifyRequest,
) => Promise<Output<E> | Redirect>;

/** Who may call: answers who does, or refuses. */
export type Guard<Who> = (request: FastifyRequest, reply: FastifyReply) => Promise<Who>;

type Checks = { params: Check; query: Check; body: Check };
const anything: Check = () => [];
const compile = (schema: TSchema | undefined, root: string) =>
  schema === undefined ? anything : compileCheck(schema, root);

/** Answers an endpoint under each prefix. What comes in is validated, what goes out holds nothing undeclared. */
export function mount<E extends Endpoint, Who>(
  app: FastifyInstance,
  declared: E,
  about: { guard: Guard<Who>; prefixes: readonly string[] },
  handler: Handler<E, Who>,
): void {
  const checks: Checks = {
    params: compile(declared.params, "path"),
    query: compile(declared.query, "query"),
    body: compile(declared.body, "body"),
  };
  for (const prefix of about.prefixes) {
    app.route({
      method: declared.method,
      url: `${prefix}${declared.path}`,
      ...(declared.bodyLimit === undefined ? {} : { bodyLimit: declared.bodyLimit }),
      schema: {
        response: {
          ...(declared.reply === undefined ? {} : { [declared.status]: declared.reply }),
          "4xx": ErrorEnvelope,
          "5xx": ErrorEnvelope,
        },
      },
      handler: async (request, reply) => {
        // Set before anything can fail, so that a page of another site can read the refusal as well.
        if (declared.cors === true) reply.header("access-control-allow-origin", "*");
        const who = await about.guard(request, reply);
        const input = read(declared, checks, request);
        const answer = await handler(who, input as Input<E>, request);
        if (answer instanceof Redirect) return await reply.redirect(answer.location, 302);
        return await reply.status(declared.status).send(answer);
      },
    });
  }
}

/** The request's parts, validated, with one answer for all that is wrong. */
function read(declared: Endpoint, checks: Checks, request: FastifyRequest) {
  const body = request.body === undefined && declared.bodyOptional === true ? {} : request.body;
  const problems = [
    ...checks.params(request.params),
    ...checks.query(request.query),
    ...(declared.body === undefined ? [] : checks.body(body ?? null)),
  ];
  if (problems.length > 0) throw invalid(problems);
  return { params: request.params, query: request.query, body };
}
