import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyInstance } from "fastify";
import { PerRequest } from "./per-request.ts";

const tracer = trace.getTracer("countersign");
const spans = new PerRequest<Span>("span");

/**
 * Records a span for each request, which continues the caller's trace and contains the calls of the handler. It has the
 * route's template and never the URL, a header or a body, because those contain ids and personal data.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, headers } = request;
    const route = request.routeOptions.url ?? "unknown";
    const parent = propagation.extract(context.active(), { traceparent: headers.traceparent });
    const attributes = { "http.request.method": method, "http.route": route };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  app.addHook("onResponse", async (request, reply) => {
    const span = spans.get(request);
    span?.setAttribute("http.response.status_code", reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}
