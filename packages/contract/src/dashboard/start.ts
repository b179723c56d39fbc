/** Dashboard endpoint for the first steps of a brand. The guides use its values. */
import type { Static } from "typebox";
import { IntegrationType } from "../brand/brand.ts";
import { anyOf, stringEnum, t } from "../primitives.ts";
import { forViewer, ofEnvironment } from "./shapes.ts";

const TestPerson = t.Object({
  family: stringEnum("inputs", "risk", "credentials", "failures", "v2.0"),
  phone: t.String(),
  code: t.String(),
  /** The inputs required in addition to the phone. Text in backquotes is literal, here and in `outcome`. */
  needs: t.String(),
  score: t.Integer(),
  outcome: t.String(),
});
export type TestPerson = Static<typeof TestPerson>;

const Start = t.Object({
  integrationType: IntegrationType,
  redirectUrl: anyOf(t.String(), t.Null()),
  /** The published key of a demo brand. Null for other brands, because the service cannot show their keys again. */
  demoKey: anyOf(t.String(), t.Null()),
  /** The fixed people of the sandbox. Empty in production. */
  testPeople: t.Array(TestPerson),
});
export type Start = Static<typeof Start>;

export const readStart = forViewer("readStart", "GET /api/brands/:brand/:environment/start", {
  summary: "The data of the page “Get started”",
  params: ofEnvironment,
  reply: Start,
  refusals: [404],
});
