/** The sandbox's test wallet, which holds state IDs of test people. */
import type { Static } from "typebox";
import { endpointsOf } from "../endpoint.ts";
import { t } from "../primitives.ts";

const inTestWallet = endpointsOf({ tag: "Stage", auth: "none" });

/** One request or one answer of the Digital Credentials API. An answer with a mistake may name another protocol. */
const DigitalCredentialPart = t.Object({
  protocol: t.String({ maxLength: 50 }),
  data: t.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
});
export type DigitalCredentialPart = Static<typeof DigitalCredentialPart>;

export const answerAsTestWallet = inTestWallet("answerAsTestWallet", "POST /demo/state-id/answer", {
  summary: "Answer a request with the state ID of a test person",
  body: t.Object({
    /** The key of the ID, as the page lists them. */
    id: t.String({ maxLength: 50 }),
    /** What is wrong with the answer. Absent: nothing. */
    mistake: t.Optional(t.String({ maxLength: 50 })),
    request: DigitalCredentialPart,
  }),
  reply: DigitalCredentialPart,
  errors: ["ERR001"],
  refusals: [403],
});
