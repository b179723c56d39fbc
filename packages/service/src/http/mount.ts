import {
  type About,
  bodyBytesMax,
  bodyValuesMax,
  type Endpoint,
  type Input,
  type Output,
} from "@countersign/contract/endpoint";
import { ErrorEnvelope } from "@countersign/contract/errors";
import { isUuid } from "@countersign/contract/primitives";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { Deps, HomeDeps } from "../domain/deps.ts";
import { invalid, type Problem, refuse } from "../domain/failure.ts";
import { type Check, compileCheck, isRecord } from "../domain/validate.ts";
import { checkFirst, guardsItself, recheck } from "./auth.ts";
import { holdBody } from "./body.ts";
import { cellOf, setAbout } from "./cell.ts";
import { compileEmpty } from "./empty-members.ts";
import { creates, noteWorked } from "./idempotency.ts";
import { answerPreflights, readableByOtherSites } from "./other-sites.ts";
import { PerRequest } from "./per-request.ts";
import { noteReplySubject, noteRequestSubject } from "./subject.ts";
import { compileUnknown, dropUnknown, warnAccepted } from "./unknown-members.ts";

/** A handler returns this to answer with a 302 redirect. */
export class Redirect {
  readonly location: string;
  /** The uuid of the object that the caller began, if any. */
  readonly uuid: string | undefined;
  readonly headers: Record<string, string>;
  constructor(location: string, uuid?: string, headers: Record<string, string> = {}) {
    this.location = location;
    this.uuid = uuid;
    this.headers = headers;
  }
}

/** A handler returns this to answer with the endpoint's `otherReply`. */
export class OtherReply {
  readonly content: object;
  constructor(content: object) {
    this.content = content;
  }
}

/** Makes the browser report the page that began a device's visit to its carrier, through all redirects. */
export const keepsReferrer = { "referrer-policy": "strict-origin" };

/** What a handler returns. It may return nothing if the reply has no members. */
type Answer<E> = Promise<Output<E> | Redirect | OtherReply> | (keyof Output<E> extends never ? Promise<void> : never);

/** `deps`: of the cell with the data of whom the endpoint is about. Others use what their route was given. */
type At<E> = { request: FastifyRequest } & (E extends { about?: infer Subject }
  ? [Extract<Subject, About>] extends [never]
    ? unknown
    : { deps: Deps }
  : unknown);

/** A handler of an endpoint: reads the input, calls one flow, and returns the answer. */
export type Handler<E extends Endpoint, Who> = (who: Who, input: Input<E>, at: At<E>) => Answer<E>;

/** Checks who may call. Returns the caller, or throws. */
export type Guard<Who> = (request: FastifyRequest, reply: FastifyReply) => Promise<Who>;

type Checks = { params: Check; query: Check; body: Check };
const anything: Check = () => [];
const compile = (schema: TSchema | undefined, root: string) =>
  schema === undefined ? anything : compileCheck(schema, root);

/**
 * `homeDeps`: of the environment, for endpoints that are about somebody. `before` may refuse a body before it is
 * validated. `after` runs after a successful call, before the answer is sent.
 */
export type Mounting<Who> = {
  guard: Guard<Who>;
  prefixes: readonly string[];
  homeDeps?: HomeDeps;
  before?: (who: Who, body: unknown) => void;
  after?: (who: Who, declared: Endpoint) => Promise<void>;
};

/**
 * Mounts an endpoint under each prefix. Validates the input, and sends only declared members. `warnings` says what is
 * odd about a request that was accepted.
 */
export function mount<E extends Endpoint, Who>(
  app: FastifyInstance,
  declared: E,
  mounting: Mounting<Who>,
  handler: Handler<E, Who>,
  warnings: (who: Who, input: Input<E>) => string[] = () => [],
): void {
  const checks: Checks = {
    params: compile(declared.params, "path"),
    query: compile(declared.query, "query"),
    body: compile(declared.body, "body"),
  };
  const removeUnknown = declared.body === undefined ? null : compileUnknown(declared.body);
  const parameters = Object.keys(declared.query?.properties ?? {});
  const isOfBrands = declared.auth === "brandKey" || declared.auth === "sandboxControl";
  const dropEmpty = declared.body === undefined || !isOfBrands ? null : compileEmpty(declared.body);
  const { homeDeps } = mounting;
  const isRepeatable = declared.status === 201 && declared.auth === "brandKey";
  if (homeDeps === undefined && (isRepeatable || declared.about !== undefined))
    throw new Error(`${declared.id} is mounted without cells`);
  const callers = new PerRequest<{ who: Who }>("caller");
  for (const prefix of mounting.prefixes) {
    if (declared.cors === true) answerPreflights(app, `${prefix}${declared.path}`);
    app.route({
      method: declared.method,
      url: `${prefix}${declared.path}`,
      config: {
        ...guardsItself,
        ...(isRepeatable ? creates : {}),
        bodyValues: bodyValuesMax(declared),
      },
      bodyLimit: bodyBytesMax(declared),
      exposeHeadRoute: declared.method === "GET" && declared.usesUp !== true,
      schema: {
        response: {
          ...(declared.reply === undefined ? {} : { [declared.status]: declared.reply }),
          "4xx": ErrorEnvelope,
          "5xx": ErrorEnvelope,
        },
      },
      // Runs before the body is read, so that a caller without a key or a session costs no parsing.
      onRequest: async (request, reply) => {
        // Set this before anything can fail, so that pages of other sites can also read the refusal.
        if (declared.cors === true) reply.headers(readableByOtherSites);
        await checkFirst(request, async () => {
          callers.set(request, { who: await mounting.guard(request, reply) });
        });
        if (homeDeps !== undefined) setAbout(homeDeps, request, declared.about);
        holdBody(request, reply, bodyBytesMax(declared));
      },
      // Runs before a stored answer for an `Idempotency-Key` is replayed.
      preValidation: (request, reply, done) => {
        const prepare = () => {
          const caller = callers.get(request);
          if (caller !== undefined) mounting.before?.(caller.who, request.body);
          dropUnknown({ remove: removeUnknown, parameters }, request, reply);
          dropEmpty?.(request.body);
        };
        // A caller may hold back the body.
        const checking = recheck(request);
        if (checking !== undefined) return void checking.then(prepare).then(() => done(), done);
        prepare();
        done();
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error("a handler ran before its guard");
        const input = read(declared, checks, request);
        const answer = await runAndNote(declared, request, input, async () => {
          const at = declared.about === undefined ? { request } : { request, deps: await cellOf(request) };
          return await handler(caller.who, input as Input<E>, at as At<E>);
        });
        noteWorked(request);
        if (mounting.after !== undefined) await mounting.after(caller.who, declared);
        // A source may have answered late, and the brand's key or approval may have ended meanwhile.
        const checking = declared.auth === "brandKey" ? recheck(request) : undefined;
        if (checking !== undefined) await checking;
        warnAccepted(warnings(caller.who, input as Input<E>), request, reply);
        if (answer instanceof Redirect) return await reply.headers(answer.headers).redirect(answer.location, 302);
        if (declared.otherReply !== undefined) reply.header("vary", "accept");
        // Fastify does not serialize a text, so the schema of the usual reply does not remove members.
        if (answer instanceof OtherReply)
          return await reply.type(declared.otherReply?.type ?? "").send(JSON.stringify(answer.content));
        return await reply.status(declared.status).send(answer ?? {});
      },
    });
  }
}

/** Runs the handler. Notes the subject of a brand's call for the request log. */
async function runAndNote(
  { auth }: Endpoint,
  request: FastifyRequest,
  input: { params: unknown; body: unknown },
  run: () => Promise<unknown>,
): Promise<unknown> {
  if (auth !== "brandKey") return await run();
  noteRequestSubject(request, input);
  try {
    const answer = await run();
    noteReplySubject(request, answer);
    return answer;
  } catch (error) {
    noteReplySubject(request, error);
    throw error;
  }
}

/** The validated parts of the request. One error names all problems. */
function read(declared: Endpoint, checks: Checks, request: FastifyRequest) {
  // The wallet's pages accept forms, but declared endpoints accept only JSON.
  if (declared.body !== undefined && request.body !== undefined && !isJson(request)) {
    throw refuse(415, "The body must be application/json.");
  }
  if (declared.bytes !== undefined && !Buffer.isBuffer(request.body)) {
    throw refuse(415, `The body must be ${declared.bytes.join(" or ")}.`);
  }
  const body = request.body === undefined && declared.bodyOptional === true ? {} : request.body;
  const params = withUnknownUuids(declared, request.params);
  const unsound = [...unsoundTexts(request.params, "path"), ...unsoundTexts(request.query, "query")];
  if (unsound.length > 0) throw invalid(unsound);
  const problems = [
    ...checks.params(params),
    ...checks.query(request.query),
    ...(declared.body === undefined ? [] : checks.body(body ?? null)),
  ];
  if (problems.length > 0) throw invalid(problems);
  return { params, query: request.query, body };
}

/** A UUID of nothing. */
const nilUuid = "00000000-0000-0000-0000-000000000000";

/** Replaces malformed UUIDs in a path, so that the answer is that of an unknown one. */
function withUnknownUuids({ params }: Endpoint, given: unknown): unknown {
  if (params === undefined || !isRecord(given)) return given;
  const isMalformed = ([name, value]: [string, unknown]) => {
    const schema: unknown = params.properties[name];
    return isRecord(schema) && schema.format === "uuid" && typeof value === "string" && !isUuid(value);
  };
  return Object.fromEntries(Object.entries(given).map((one) => (isMalformed(one) ? [one[0], nilUuid] : one)));
}

function isJson(request: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "");
}

/**
 * Problems of texts in the path and query that no endpoint can process safely. Bodies are checked when they are parsed.
 */
function unsoundTexts(values: unknown, root: string): Problem[] {
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === "string" && (value.includes("\0") || !value.isWellFormed())
      ? [{ path: `${root}.${name.slice(0, 60)}`, message: "Use text without NUL characters." }]
      : [],
  );
}
