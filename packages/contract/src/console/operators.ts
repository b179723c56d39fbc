/** Console endpoints of the people who use it, and of their passkeys. */
import type { Static } from "typebox";
import { Assertion, PasskeyOptions } from "../dashboard/passkey.ts";
import { Nothing } from "../dashboard/shapes.ts";
import { anyOf, Millis, t, Uuid } from "../primitives.ts";
import { OperatorRole } from "./role.ts";
import { forOperator, forSupport, Reason } from "./shapes.ts";

const ConsolePasskey = t.Object({ uuid: Uuid, createdAt: Millis, lastUsedAt: anyOf(Millis, t.Null()) });
export type ConsolePasskey = Static<typeof ConsolePasskey>;

const ConsoleColleague = t.Object({
  uuid: Uuid,
  name: t.String(),
  email: t.String(),
  role: OperatorRole,
  passkeys: t.Array(ConsolePasskey),
  /** Until when the newest invitation works. Null if it was used. */
  invitedUntil: anyOf(Millis, t.Null()),
});
export type ConsoleColleague = Static<typeof ConsoleColleague>;

export const listOwnConsolePasskeys = forSupport("listOwnConsolePasskeys", "GET /api/console/me/passkeys", {
  summary: "The own passkeys",
  reply: t.Object({ data: t.Array(ConsolePasskey) }),
});

export const listColleagues = forOperator("listColleagues", "GET /api/console/operators", {
  summary: "The people who may use the console",
  reply: t.Object({ data: t.Array(ConsoleColleague) }),
});

export const beginPasskeyDeletion = forSupport("beginPasskeyDeletion", "POST /api/console/passkeys/:passkey/proof", {
  summary: "The challenge that a passkey of the caller signs before this passkey is deleted",
  params: t.Object({ passkey: Uuid }),
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, options: PasskeyOptions }),
  status: 201,
});

/** The signed challenge. It works once, for five minutes, and only for the passkey that it names. */
const Proof = t.Object({ uuid: Uuid, credential: Assertion });
const deletion = { params: t.Object({ passkey: Uuid }), reply: Nothing, refusals: [404, 409] as const };

export const deleteOwnConsolePasskey = forSupport(
  "deleteOwnConsolePasskey",
  "POST /api/console/me/passkeys/:passkey/deletion",
  { summary: "Delete a passkey of one's own", ...deletion, body: t.Object({ proof: Proof }) },
);

export const deleteColleaguePasskey = forOperator(
  "deleteColleaguePasskey",
  "POST /api/console/passkeys/:passkey/deletion",
  {
    summary: "Delete another person's passkey, and end the sessions of that person",
    ...deletion,
    body: t.Object({ proof: Proof, reason: Reason }),
  },
);
