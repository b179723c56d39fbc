import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";

/** Sends spans until it is closed. Code uses `@opentelemetry/api`, which costs nothing without a recorder. */
export type Tracing = { close(): Promise<void> };

/** Starts sending spans to a collector: durations of requests, jobs and vendor calls, without their contents. */
export function openTracing({ url }: { url: string }): Tracing {
  return recordSpans(new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` })));
}

export function recordSpans(processor: SpanProcessor): Tracing {
  const resource = resourceFromAttributes({ "service.name": "countersign" });
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  provider.register();
  return { close: () => provider.shutdown() };
}
