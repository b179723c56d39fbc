/**
 * Endpoints that vendors call: reports about texts, incoming texts, and devices that return from their carrier. Each
 * call needs the vendor's signature, or a state that this service created.
 */
import { isUuid } from "@countersign/contract/primitives";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import type { IncomingTexts, TextReports } from "../../domain/ports.ts";
import { takeIncomingText } from "../../domain/verification/texts/stop.ts";
import { takeTextReport } from "../../domain/verification/texts/text-report.ts";
import { cellAbout } from "../cell.ts";
import { type Guard, keepsReferrer } from "../mount.ts";

/** Null if no SMS sender makes such calls. */
export type Callbacks = { reports: TextReports | null; incoming: IncomingTexts | null };

/** Maximum length of a device's query: the limit of `answer` in `finishDevice`. */
const answerMax = 2_000;
const tokenForm = /^[0-9A-Za-z]{1,100}$/;

export function routesCallbacks(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  { callbacks, guard }: { callbacks: Callbacks; guard: Guard<void> },
): void {
  // A separate scope, because signatures cover the raw bytes of a body of any type.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, async (_request: unknown, body: string) => body);
    routesTexts(scope, homeDeps, { callbacks, guard });
  });
  app.get("/callbacks/carrier", async (request, reply) => {
    reply.headers(keepsReferrer).header("access-control-allow-origin", "*");
    await guard(request, reply);
    const query = request.url.split("?")[1] ?? "";
    const [token = ""] = (new URLSearchParams(query).get("state") ?? "").split(".");
    if (!tokenForm.test(token) || query.length > answerMax) throw refuse(404, "There is nothing under this path.");
    const onward = `${homeDeps.addresses.apiUrl}/1-click/verifications/device/${token}/result`;
    return await reply.redirect(`${onward}?answer=${encodeURIComponent(query)}`, 302);
  });
}

function routesTexts(
  scope: FastifyInstance,
  homeDeps: HomeDeps,
  { callbacks, guard }: { callbacks: Callbacks; guard: Guard<void> },
): void {
  const { reports, incoming } = callbacks;
  // Valid vendor callbacks are not limited, because a vendor calls often and from few addresses. Invalid ones are
  // limited.
  const refuseUnsigned = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await guard(request, reply);
    throw refuse(403, "The SMS gateway's signature is missing or wrong.");
  };
  if (reports !== null)
    scope.post<{ Params: { text: string } }>("/callbacks/texts/:text", async (request, reply) => {
      const judged = reports.judge({ textId: request.params.text, ...signedPartsOf(request) });
      if (judged.kind === "refused") return await refuseUnsigned(request, reply);
      // An unknown text or a late report also gets success. Otherwise the vendor would retry.
      const uuid = judged.textId;
      if (isUuid(uuid)) await takeTextReport(await cellAbout(homeDeps, { uuid }), judged);
      return await reply.status(204).send();
    });
  if (incoming !== null)
    scope.post("/callbacks/texts", async (request, reply) => {
      const judged = incoming.judge(signedPartsOf(request));
      if (judged.kind === "refused") return await refuseUnsigned(request, reply);
      await takeIncomingText(await cellAbout(homeDeps, { phone: judged.from }), judged);
      return await reply.status(200).type(incoming.answer.type).send(incoming.answer.body);
    });
}

function signedPartsOf({ body, headers }: FastifyRequest) {
  const single = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return { body: typeof body === "string" ? body : "", headers: Object.fromEntries(single) };
}
