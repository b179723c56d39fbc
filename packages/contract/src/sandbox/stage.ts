/** Calls of the stage: the sandbox's page that shows a signup while it happens. */
import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { described, Millis, PhoneInput, stringEnum, t, Uuid } from "../primitives.ts";

const onStage = endpointsOf({ tag: "Stage", auth: "none" });

/** The brands that the stage can show. */
export const StageBrand = stringEnum("bank", "clinic");
export type StageBrand = Static<typeof StageBrand>;

/** A call of the brand's server, and its answer, as the server's log shows them. */
export const ServerCall = t.Object({
  method: stringEnum("GET", "POST"),
  path: t.String(),
  /** The key's beginning. The rest is masked. */
  authorization: t.String(),
  status: t.Integer(),
  answer: t.Unsafe<unknown>({}),
  durationMs: t.Integer({ minimum: 0 }),
});
export type ServerCall = Static<typeof ServerCall>;

export const callAsBrand = onStage("callAsBrand", "POST /demo/calls", {
  summary: "Make a call of the API as the brand's server",
  body: t.Object({
    brand: StageBrand,
    call: stringEnum("createSession", "readOneClick", "readHealthLookup"),
    /** What to read. */
    uuid: t.Optional(Uuid),
  }),
  reply: ServerCall,
  refusals: [403],
});

export const listStageTexts = onStage("listStageTexts", "POST /demo/texts", {
  summary: "The texts that the stage's brands caused",
  body: t.Object({
    to: PhoneInput,
    since: described(Millis, "Only texts that were sent at this time or later."),
  }),
  reply: t.Object({ data: t.Array(t.Object({ id: Uuid, from: t.String(), body: t.String(), sentAt: Millis })) }),
  refusals: [403],
});

export const expireStageCode = onStage("expireStageCode", "POST /demo/expiry", {
  summary: "Let the lifetime of one page's code pass",
  description: "The sandbox's clock would move for everybody, so only the times of this page's verification move.",
  about: { token: "body.page" },
  body: t.Object({ page: t.String({ maxLength: 100 }) }),
  reply: t.Object({ expiresAt: Millis }),
  errors: ["ERR001", "OCE015"],
  refusals: [403],
});
