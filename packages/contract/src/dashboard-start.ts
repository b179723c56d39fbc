/** The dashboard's own interface to a brand's first steps: what a guide is filled in with. */
import type { Static } from "typebox";
import { Environment, IntegrationType } from "./brand.ts";
import { endpoint } from "./endpoint.ts";
import { anyOf, oneOf, t, Uuid } from "./primitives.ts";

const TestPerson = t.Object({
  family: oneOf("inputs", "risk", "credentials", "failures", "v2.0"),
  phone: t.String(),
  code: t.String(),
  /** What must be given besides the phone. Words between backquotes are meant literally, here and in the outcome. */
  needs: t.String(),
  score: t.Integer(),
  outcome: t.String(),
});
export type TestPerson = Static<typeof TestPerson>;

const Start = t.Object({
  integrationType: IntegrationType,
  redirectUrl: anyOf(t.String(), t.Null()),
  /** The key of a demo brand, which everybody knows; null for every other brand, whose keys nobody can look up. */
  demoKey: anyOf(t.String(), t.Null()),
  /** Who lives in the sandbox; nobody does in production. */
  testPeople: t.Array(TestPerson),
});
export type Start = Static<typeof Start>;

export const readStart = endpoint({
  tag: "Dashboard",
  auth: "member",
  role: "viewer",
  id: "readStart",
  method: "GET",
  path: "/api/brands/:brand/:environment/start",
  summary: "What a brand's first steps are told with",
  params: t.Object({ brand: Uuid, environment: Environment }),
  reply: Start,
  status: 200,
  errors: ["ERR001"],
  refusals: [404],
});
