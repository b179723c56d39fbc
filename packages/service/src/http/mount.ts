import { bodyBytesMax, type Endpoint, type Input, type Output } from "@countersign/contract/endpoint";
import { ErrorEnvelope } from "@countersign/contract/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { invalid, type Problem, refuse } from "../domain/failure.ts";
import { type Check, compileCheck } from "../domain/validate.ts";
import { guardsItself } from "./auth.ts";
import { creates } from "./idempotency.ts";
import { noteAnswered, noteAsked } from "./subject.ts";
import { compileUnknown, warnOfUnknown } from "./unknown-members.ts";

/** Answers 302: whoever asked goes on elsewhere. */
export class Redirect {
  readonly location: string;
  /** What the way is about, where the caller began it. */
  readonly uuid: string | undefined;
  constructor(location: string, uuid?: string) {
    this.location = location;
    this.uuid = uuid;
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
  const findUnknown = declared.body === undefined ? null : compileUnknown(declared.body);
  const callers = new WeakMap<FastifyRequest, { who: Who }>();
  for (const prefix of about.prefixes) {
    app.route({
      method: declared.method,
      url: `${prefix}${declared.path}`,
      config: declared.status === 201 && declared.auth === "brandKey" ? { ...guardsItself, ...creates } : guardsItself,
      bodyLimit: bodyBytesMax(declared),
      schema: {
        response: {
          ...(declared.reply === undefined ? {} : { [declared.status]: declared.reply }),
          "4xx": ErrorEnvelope,
          "5xx": ErrorEnvelope,
        },
      },
      // Runs before the body is read, so that a caller without a key or a session costs no parsing.
      onRequest: async (request, reply) => {
        // Set before anything can fail, so that a page of another site can read the refusal as well.
        if (declared.cors === true) reply.header("access-control-allow-origin", "*");
        callers.set(request, { who: await about.guard(request, reply) });
      },
      // Before an answer that was kept for an Idempotency-Key is given again.
      preValidation: (request, reply, done) => {
        if (findUnknown !== null) warnOfUnknown(findUnknown, request, reply);
        done();
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error("a handler ran before its guard");
        const input = read(declared, checks, request);
        const answer = await noting(declared, request, input, () => handler(caller.who, input as Input<E>, request));
        if (answer instanceof Redirect) return await reply.redirect(answer.location, 302);
        return await reply.status(declared.status).send(answer);
      },
    });
  }
}

/** Does what was asked; of a brand's calls it is noted whom they were about. */
async function noting<Answer>(
  { auth }: Endpoint,
  request: FastifyRequest,
  input: { params: unknown; body: unknown },
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (auth !== "brandKey") return await work();
  noteAsked(request, input);
  try {
    const answer = await work();
    noteAnswered(request, answer);
    return answer;
  } catch (error) {
    noteAnswered(request, error);
    throw error;
  }
}

/** The request's parts, validated, with one answer for all that is wrong. */
function read(declared: Endpoint, checks: Checks, request: FastifyRequest) {
  // The wallet's pages take forms; what is declared here takes JSON.
  if (declared.body !== undefined && request.body !== undefined && !isJson(request)) {
    throw refuse(415, "The body must be application/json.");
  }
  if (declared.bytes !== undefined && !Buffer.isBuffer(request.body)) {
    throw refuse(415, `The body must be ${declared.bytes.join(" or ")}.`);
  }
  const body = request.body === undefined && declared.bodyOptional === true ? {} : request.body;
  const unsound = [...unsoundTexts(request.params, "path"), ...unsoundTexts(request.query, "query")];
  if (unsound.length > 0) throw invalid(unsound);
  const problems = [
    ...checks.params(request.params),
    ...checks.query(request.query),
    ...(declared.body === undefined ? [] : checks.body(body ?? null)),
  ];
  if (problems.length > 0) throw invalid(problems);
  return { params: request.params, query: request.query, body };
}

function isJson(request: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "");
}

/** Texts of an address that no endpoint could do anything sound with: bodies were looked through when they were parsed. */
function unsoundTexts(values: unknown, root: string): Problem[] {
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" && (value.includes("\0") || !value.isWellFormed())
      ? [{ path: `${root}.${name.slice(0, 60)}`, message: "must be text without NUL" }]
      : [],
  );
}
