import assert from "node:assert/strict";
import test from "node:test";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { recordSpans } from "../../tracing.ts";
import { demoKey, sandbox } from "../harness/sandbox.ts";

const exporter = new InMemorySpanExporter();
recordSpans(new SimpleSpanProcessor(exporter));
const it = await sandbox({}, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" });
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

test("a request joins its caller's trace, a job starts its own trace, and no span has personal data", async () => {
  const made = await it.api.createVerification({ body: { channel: "sms", phone: "+12125550199" } });
  const { uuid } = made.body;
  await it.api.deliverVerification({ params: { uuid } });
  await it.runJobs();
  const response = await it.inject({
    method: "POST",
    url: `/v2/1-click?phone=2125550199`,
    headers: { authorization: demoKey, traceparent },
    payload: { phone: "+12125550199" },
  });
  assert.equal(response.status, 201);
  const spans = exporter.getFinishedSpans();
  const posted = spans.find(({ name }) => name === "POST /v2/1-click");
  assert.ok(posted);
  assert.equal(posted.spanContext().traceId, traceId);
  assert.deepEqual(posted.attributes, {
    "http.request.method": "POST",
    "http.route": "/v2/1-click",
    "http.response.status_code": 201,
  });
  const texted = spans.find(({ name }) => name === "verification.sendText");
  assert.ok(texted);
  assert.equal(texted.parentSpanContext, undefined);
  const told = JSON.stringify(
    spans.map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
  );
  assert.doesNotMatch(told, /2125550199|Hendricks|sk_sandbox/);
  assert.ok(!told.includes(uuid));
});
