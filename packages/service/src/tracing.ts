import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-node";

/** Where spans are sent while a trace is recorded; everything that makes one asks `@opentelemetry/api`, and is free when nothing records. */
export type Tracing = { close(): Promise<void> };

/** Sends spans to a collector from now on: how long each request, job and call to a vendor took, and nothing that they held. */
export function openTracing({ url }: { url: string }): Tracing {
  return recordSpans(new BatchSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces` })));
}

export function recordSpans(processor: SpanProcessor): Tracing {
  const resource = resourceFromAttributes({ "service.name": "countersign" });
  const provider = new NodeTracerProvider({ resource, spanProcessors: [processor] });
  provider.register();
  return { close: () => provider.shutdown() };
}
