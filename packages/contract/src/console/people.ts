/** Console endpoints about a person: what exists, never values. The phone is in the body, so that no URL has it. */
import type { Static } from "typebox";
import { Environment } from "../brand/brand.ts";
import { anyOf, Millis, t, Uuid } from "../primitives.ts";
import { forSupport, Reason, TypedPhone } from "./shapes.ts";

/** How many rows a table has about a person at one brand, in one state. */
const StoredAbout = t.Object({
  table: t.String(),
  brand: anyOf(t.Object({ uuid: Uuid, name: t.String(), customerName: t.String() }), t.Null()),
  state: anyOf(t.String(), t.Null()),
  count: t.Integer(),
  firstAt: anyOf(Millis, t.Null()),
  lastAt: anyOf(Millis, t.Null()),
});
export type StoredAbout = Static<typeof StoredAbout>;

const PersonRecord = t.Object({
  uuid: Uuid,
  /** How often the number has changed its holder. */
  earlierHolders: t.Integer(),
  firstSeenAt: Millis,
  lastProvenAt: anyOf(Millis, t.Null()),
  /** A fixed person of the sandbox is reset, not deleted. */
  isFixed: t.Boolean(),
  stored: t.Array(StoredAbout),
  /** Decisions of the person that a signed receipt proves. */
  receipts: t.Array(t.Object({ uuid: Uuid, at: Millis, action: t.String(), brandName: anyOf(t.String(), t.Null()) })),
  /** Who looked at this record in the console, newest first. */
  looks: t.Array(t.Object({ at: Millis, who: t.String(), action: t.String(), reason: anyOf(t.String(), t.Null()) })),
});
export type PersonRecord = Static<typeof PersonRecord>;

export const lookAtPerson = forSupport("lookAtPerson", "POST /api/console/people", {
  summary: "What is stored about the person with this phone; the look is recorded",
  body: t.Object({ environment: Environment, phone: TypedPhone, reason: Reason }),
  reply: t.Object({ person: anyOf(PersonRecord, t.Null()) }),
  refusals: [404],
});

export const deletePersonForSupport = forSupport("deletePersonForSupport", "POST /api/console/people/deletion", {
  summary: "Delete the person with this phone, as the person can themselves",
  body: t.Object({ environment: Environment, phone: TypedPhone, person: Uuid, reason: Reason }),
  /** The signed receipt of the deletion, for the person. It contains no personal value. */
  reply: t.Object({ isReset: t.Boolean(), receipt: t.String() }),
  refusals: [404],
});
