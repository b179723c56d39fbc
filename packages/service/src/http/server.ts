import { randomUUID } from "node:crypto";
import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { openBodyBytesMax, openBodyValuesMax } from "@countersign/contract/endpoint";
import buildSerializer from "fast-json-stringify";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { KeyOwner } from "../domain/brand/brand-rows.ts";
import { Failure, fail, refuse } from "../domain/failure.ts";
import {
  answerLarge,
  endLargeScope,
  type LargeScope,
  largeBytesMax,
  newLargeScope,
  runInLargeScope,
} from "../domain/large-values.ts";
import { keyOwnerOf } from "./auth.ts";
import { assertPlainBody, callerKeyOf, parseJsonBody } from "./body.ts";
import { envelope, failureOf, problem } from "./envelope.ts";
import { assertHost } from "./host.ts";
import { PerRequest } from "./per-request.ts";
import { type Subject, subjectOfRequest } from "./subject.ts";
import { traceRequests } from "./traces.ts";
import { warningsOf } from "./unknown-members.ts";

const headersMax = 16_384;
/** A request that is not complete by then gets 408, and its connection closes. */
const requestTimeoutMs = 30_000;
/** How often Node checks for such requests. */
const timeoutCheckMs = 1_000;
const keepAliveMs = 65_000;
const pathParameterMax = 200;

/** The recorded facts of each request. They exclude the URL and the body, which may contain ids or personal data. */
export type RequestNote = {
  requestId: string;
  method: string;
  route: string;
  status: number;
  latencyMs: number;
  errorCode?: string;
  owner?: KeyOwner;
  /** Contains a phone. Only the request log may use it, to find the person. */
  subject?: Subject;
  /** The names of ignored members. Only the request log may use them. */
  warnings?: readonly string[];
};
export type ServerOptions = {
  /** Whether spans are recorded. */
  traced: boolean;
  /** Whether connections must close after their current answer, because the process is stopping. */
  isLeaving?(): boolean;
  trustedProxies: string[];
  /** Whether requests to a host (with its port) are answered. Default: requests to every host are answered. */
  answersTo?(host: string): boolean;
  requestTimeoutMs?: number;
  /** Renders a failure as a page for a person's browser. Null: the answer is JSON, as on listeners without pages. */
  failurePage?(status: number, request: FastifyRequest): Document | null;
  onRequestDone(note: RequestNote): void;
  onBreakdown(error: unknown, requestId: string, status: number): void;
};

/** A page with its headers. */
export type Document = { headers: Record<string, string>; html: string };

/** An HTTP server without routes. Every failure is answered with the error envelope. */
export function createServer(options: ServerOptions): FastifyInstance {
  const requestTimeout = options.requestTimeoutMs ?? requestTimeoutMs;
  const app = fastify({
    logger: false,
    bodyLimit: openBodyBytesMax,
    requestTimeout,
    keepAliveTimeout: keepAliveMs,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    rewriteUrl: ({ url = "/" }) => withoutSlash(url),
    trustProxy: options.trustedProxies.length === 0 ? false : options.trustedProxies,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: pathParameterMax },
    http: {
      maxHeaderSize: headersMax,
      requireHostHeader: false,
      requestTimeout,
      // Set both limits: Node swaps them if this one is larger, and its default is 60 s.
      headersTimeout: requestTimeout,
      connectionsCheckingInterval: timeoutCheckMs,
    },
    // While the process stops, still answer requests on open connections.
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => answerUnrouted(options, error, { request, reply }),
  });
  // Ignore unknown `Expect` headers. Node would refuse the request without our error envelope.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setSerializerCompiler(({ schema }) => serializerOf(schema));
  if (options.traced) traceRequests(app);
  readJson(app);
  answerFailures(app, options);
  // Hooks that wait for nothing are not async, because each promise costs a turn of the microtask queue.
  app.addHook("onRequest", (request, reply, done) => {
    if (options.trustedProxies.length > 0) dropForwardedPorts(request);
    reply.headers(headersOfAll(request));
    if (options.isLeaving?.() === true) reply.header("connection", "close");
    assertHost(request, options.answersTo);
    done();
  });
  limitLargeValues(app);
  app.addHook("preParsing", ({ headers }, _reply, payload, done) => {
    assertPlainBody(headers);
    done(null, payload);
  });
  app.addHook("onResponse", (request, reply, done) => {
    options.onRequestDone({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? "unknown",
      status: reply.statusCode,
      latencyMs: Math.round(reply.elapsedTime),
      errorCode: errorCodes.get(request),
      owner: keyOwnerOf(request),
      subject: subjectOfRequest(request),
      warnings: warningsOf(request),
    });
    done();
  });
  return app;
}

const largeScopes = new PerRequest<LargeScope>("largeScope");

/** A request holds memory for large values until its answer is read, or its connection breaks. */
function limitLargeValues(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const scope = newLargeScope(() => callerKeyOf(request));
    largeScopes.set(request, scope);
    reply.raw.once("close", () => endLargeScope(scope));
    runInLargeScope(scope, done);
  });
  // The events of a body's connection do not belong to the scope.
  app.addHook("preHandler", (request, _reply, done) => {
    const scope = largeScopes.get(request);
    if (scope === undefined) done();
    else runInLargeScope(scope, done);
  });
  app.addHook("onSend", (request, _reply, payload, done) => {
    const scope = largeScopes.get(request);
    const bytes = typeof payload === "string" || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : largeBytesMax;
    if (scope !== undefined && scope.held > 0)
      answerLarge(scope, { bytes, breakOff: () => request.raw.socket.destroy() });
    done(null, payload);
  });
}

/**
 * Drops a slash at the end of a path. The documents are files, whose relative links depend on it, and limits of OpenID
 * requests depend on exact paths.
 */
function withoutSlash(url: string): string {
  const [path = "", ...query] = url.split("?");
  if (path.length < 2 || !path.endsWith("/") || /^\/(docs|openid)\//.test(path)) return url;
  return [path.slice(0, -1), ...query].join("?");
}

const errorCodes = new PerRequest<string>("errorCode");

type Serializer = (data: unknown) => string;
const serializers = new WeakMap<object, Serializer>();

/**
 * Builds a schema's serializer at its first answer. A process uses few of the hundreds of schemas, and all listeners
 * share them.
 */
function serializerOf(schema: object): Serializer {
  return (data) => {
    let serializer = serializers.get(schema);
    if (serializer === undefined) {
      serializer = buildSerializer(schema);
      serializers.set(schema, serializer);
    }
    return serializer(data);
  };
}

function headersOfAll(request: FastifyRequest): Record<string, string> {
  return {
    "x-request-id": request.id,
    ...plainHeaders,
  };
}

/** The default headers of an answer. Pages have their own policies. */
const plainHeaders = {
  // Answers may contain personal data. A cacheable answer must override this.
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // If a browser opens an answer as a page, it runs no scripts, loads nothing and cannot be framed.
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    "application/json",
    { parseAs: "buffer" },
    ({ routeOptions: { config } }: FastifyRequest, body: Buffer, done) => {
      const declared = "bodyValues" in config ? config.bodyValues : undefined;
      let parsed: unknown;
      try {
        parsed = parseJsonBody(body, typeof declared === "number" ? declared : openBodyValuesMax);
      } catch (error) {
        return done(error instanceof Error ? error : new Error(String(error)));
      }
      done(null, parsed);
    },
  );
}

function answerFailures(app: FastifyInstance, options: ServerOptions): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error);
    if (failure.status >= 500) options.onBreakdown(failure.cause ?? error, request.id, failure.status);
    const body = envelope(failure, request.id);
    if (typeof body.data.errorCode === "string") errorCodes.set(request, body.data.errorCode);
    const page = options.failurePage?.(failure.status, request) ?? null;
    if (page !== null)
      return reply
        .status(failure.status)
        .headers({ ...failure.headers, ...page.headers })
        .send(page.html);
    const asProblem = wantsProblem(request);
    return reply
      .status(failure.status)
      .headers(failure.headers)
      .type(asProblem ? "application/problem+json" : "application/json; charset=utf-8")
      .serializer(JSON.stringify)
      .send(asProblem ? problem(body) : body);
  });
  app.setNotFoundHandler(async (request) => {
    const allowed = methodsFor(app, request);
    const docs = app.hasRoute({ method: "GET", url: "/docs" }) ? " See /docs." : "";
    if (allowed.length === 0) throw refuse(404, `There is nothing under this path.${docs}`);
    throw refuse(405, `This path supports ${allowed.join(", ")}.`, { allow: allowed.join(", ") });
  });
}

/** Whether the caller prefers problem details (RFC 9457) to plain JSON. */
function wantsProblem({ headers }: FastifyRequest): boolean {
  const { accept = "" } = headers;
  const [at, plain] = [accept.indexOf("application/problem+json"), accept.indexOf("application/json")];
  return at >= 0 && (plain < 0 || at < plain);
}

/**
 * Answers a request whose path cannot be parsed or has a parameter that is too long. No route, hook or handler runs.
 */
function answerUnrouted(
  options: ServerOptions,
  error: Error,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const failure = failureOf(error);
  const body = envelope(failure, request.id);
  const errorCode = typeof body.data.errorCode === "string" ? body.data.errorCode : undefined;
  const { id: requestId, method } = request;
  options.onRequestDone({ requestId, method, route: "unknown", status: failure.status, latencyMs: 0, errorCode });
  const page = options.failurePage?.(failure.status, request) ?? null;
  const bytes = Buffer.from(page?.html ?? JSON.stringify(body));
  reply.raw.writeHead(failure.status, {
    ...headersOfAll(request),
    ...(page?.headers ?? { "content-type": "application/json; charset=utf-8" }),
    // With a known length, the answer is not sent in chunks.
    "content-length": bytes.length,
  });
  reply.raw.end(bytes);
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

function methodsFor(app: FastifyInstance, request: FastifyRequest): string[] {
  const [path = "/"] = request.url.split("?");
  return methods.filter((method) => app.findRoute({ method, url: path }) !== null);
}

/** Answers a request that is not HTTP, or has too large headers, with the error envelope. No route runs. */
function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket & { parser?: { incoming?: IncomingMessage } },
): void {
  if (!socket.writable) return void socket.destroy();
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const timedOut = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const status = tooLarge ? 431 : timedOut ? 408 : 400;
  const message = tooLarge ? "The headers are too large." : "The request could not be read.";
  const failure = status === 400 ? fail("ERR001", {}, message) : new Failure(status, message, {});
  const requestId = randomUUID();
  const body = JSON.stringify(envelope(failure, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    ...Object.entries(plainHeaders).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${requestId}`,
    "connection: close",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Node checks a slow request only once, so a client that keeps sending would keep the connection.
  if (timedOut) socket.destroySoon();
}

const name = "x-forwarded-for";
/** `192.0.2.1:4711`, `[2001:db8::1]:4711` or `[2001:db8::1]`. */
const withPort = /^(?:((?:\d{1,3}\.){3}\d{1,3}):\d{1,5}|\[([0-9a-f:.]+)\](?::\d{1,5})?)$/i;

/** Some proxies, such as Azure's, add the caller's port to the address. Fastify expects addresses without ports. */
function dropForwardedPorts({ raw }: FastifyRequest): void {
  const forwarded = raw.headers[name];
  if (typeof forwarded !== "string") return;
  const addresses = forwarded.split(",").map((one) => one.trim().replace(withPort, "$1$2"));
  raw.headers[name] = addresses.join(", ");
}
