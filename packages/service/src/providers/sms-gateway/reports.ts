import type { Clock, IncomingTexts, Keyword, TextReports } from "../../domain/ports.ts";
import { readObject, textOf } from "../json.ts";
import { isSigned } from "../signature.ts";

/** Validates the gateway's reports: signed like our own requests, within five minutes, for the text in the URL. */
export function gatewayReports(options: { secret: string; clock: Clock }): TextReports {
  return {
    judge({ textId, body, headers }) {
      if (!isSigned({ headers, body }, { secret: options.secret, now: options.clock.now() }))
        return { kind: "refused" };
      const report = readObject(body);
      if (report?.id !== textId) return { kind: "refused" };
      const { status } = report;
      if (status !== "sent" && status !== "delivered" && status !== "failed") return { kind: "refused" };
      const [reason, carrier] = [textOf(report, "reason"), textOf(report, "carrier")];
      return {
        ...{ kind: "report", textId, state: status },
        ...(reason === null ? {} : { reason }),
        ...(carrier === null ? {} : { carrier }),
      };
    },
  };
}

/**
 * Validates incoming texts: `{ "id", "from", "body", "keyword"? }`, with the same signature. `id` is the gateway's own
 * id.
 */
export function gatewayIncoming(options: { secret: string; clock: Clock }): IncomingTexts {
  return {
    answer: { type: "application/json; charset=utf-8", body: "{}" },
    judge({ body, headers }) {
      if (!isSigned({ headers, body }, { secret: options.secret, now: options.clock.now() }))
        return { kind: "refused" };
      const text = readObject(body);
      // Our own request to the gateway has the same signature, but is no reply.
      if (text === null || "reportUrl" in text) return { kind: "refused" };
      const { id, from, body: words, keyword } = text;
      if (typeof id !== "string" || typeof from !== "string" || typeof words !== "string") return { kind: "refused" };
      if (keyword === undefined) return { kind: "text", id, from, body: words };
      return isKeyword(keyword) ? { kind: "text", id, from, body: words, keyword } : { kind: "refused" };
    },
  };
}

function isKeyword(value: unknown): value is Keyword {
  return value === "stop" || value === "start" || value === "none";
}
