import type { Clock, TextReports } from "../../domain/ports.ts";
import { readObject } from "../json.ts";
import { isSigned } from "../signature.ts";

/** Judges the gateway's reports: signed as our requests to it are, within five minutes, naming the text of their address. */
export function gatewayReports(about: { secret: string; clock: Clock }): TextReports {
  return {
    judge({ textId, body, headers }) {
      if (!isSigned({ headers, body }, { secret: about.secret, now: about.clock.now() })) return { kind: "refused" };
      const report = readObject(body);
      if (report?.id !== textId) return { kind: "refused" };
      const { status } = report;
      if (status !== "sent" && status !== "delivered" && status !== "failed") return { kind: "refused" };
      return { kind: "report", textId, state: status };
    },
  };
}
