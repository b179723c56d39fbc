/** Also sends warnings and errors of the log to an OpenTelemetry collector. */
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import type { Log } from "./log.ts";

/** Severity numbers of OpenTelemetry's log data model. */
const severities = { WARN: 13, ERROR: 17 } as const;

/** The returned `log` also writes to the given log. `close` sends the remaining lines. */
export function exportLog(log: Log, { url }: { url: string }): { log: Log; close(): Promise<void> } {
  const exporter = new OTLPLogExporter({ url: `${url}/v1/logs` });
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ "service.name": "countersign" }),
    processors: [new BatchLogRecordProcessor({ exporter })],
  });
  const logger = provider.getLogger("countersign");
  const emit = (severityText: keyof typeof severities, body: string, fields: Record<string, unknown> = {}) =>
    logger.emit({ severityNumber: severities[severityText], severityText, body, attributes: attributesOf(fields) });
  return {
    log: {
      info: log.info,
      warn(message, fields) {
        log.warn(message, fields);
        emit("WARN", message, fields);
      },
      error(message, fields) {
        log.error(message, fields);
        emit("ERROR", message, fields);
      },
    },
    close: () => provider.shutdown(),
  };
}

/** Converts structured fields, such as stack frames, to JSON, which every collector can show. */
function attributesOf(fields: Record<string, unknown>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? value
        : (JSON.stringify(value) ?? ""),
    ]),
  );
}
