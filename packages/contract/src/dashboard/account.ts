/** Dashboard endpoints for members and their account. Not part of the public API. */

import type { Static } from "typebox";
import { endpoint } from "../endpoint.ts";
import { anyOf, Email, Millis, oneOf, t, Uuid } from "../primitives.ts";
import { MemberRole } from "./member.ts";
import { NewCredential, NewPasskeyOptions } from "./passkey.ts";
import { forRole, NewName, Nothing, WaitingName } from "./shapes.ts";

const params = t.Object({ uuid: Uuid });
/** A one-line name that people read. It has no leading or trailing blanks and no control characters. */
export const Name = (maxLength: number) =>
  t.String({ minLength: 1, maxLength, pattern: "^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$" });
const MaybeName = t.String({ maxLength: 100 });

const Me = t.Object({
  member: t.Object({ uuid: Uuid, name: t.String(), email: t.String(), role: MemberRole }),
  customer: t.Object({ uuid: Uuid, name: t.String(), waitingName: t.Optional(WaitingName) }),
  /** The URLs of each running environment. */
  environments: t.Array(
    t.Object({ environment: oneOf("sandbox", "production"), apiUrl: t.String(), walletUrl: t.String() }),
  ),
  hasPasskey: t.Boolean(),
});
export type Me = Static<typeof Me>;

export const readMe = endpoint({
  ...forRole("viewer"),
  id: "readMe",
  method: "GET",
  path: "/api/me",
  summary: "Who is signed in, and to which account",
  reply: Me,
  errors: [],
});

export const patchMe = endpoint({
  ...forRole("viewer"),
  id: "patchMe",
  method: "PATCH",
  path: "/api/me",
  summary: "Change your own name",
  body: t.Object({ name: MaybeName }),
  reply: Nothing,
  errors: ["ERR001"],
});

export const signOutMember = endpoint({
  ...forRole("viewer"),
  id: "signOutMember",
  method: "DELETE",
  path: "/api/session",
  summary: "End this session",
  reply: Nothing,
  errors: [],
});

const SessionLine = t.Object({
  uuid: Uuid,
  method: oneOf("code", "link", "passkey"),
  device: t.String(),
  createdAt: Millis,
  lastUsedAt: Millis,
  isThisOne: t.Boolean(),
});

export const listMySessions = endpoint({
  ...forRole("viewer"),
  id: "listMySessions",
  method: "GET",
  path: "/api/me/sessions",
  summary: "Your sessions",
  reply: t.Object({ data: t.Array(SessionLine) }),
  errors: [],
});

export const endMySession = endpoint({
  ...forRole("viewer"),
  id: "endMySession",
  method: "DELETE",
  path: "/api/me/sessions/:uuid",
  summary: "End another session",
  params,
  reply: Nothing,
  errors: ["ERR001"],
  refusals: [404],
});

const PasskeyLine = t.Object({
  uuid: Uuid,
  name: t.String(),
  isSynced: t.Boolean(),
  createdAt: Millis,
  lastUsedAt: anyOf(Millis, t.Null()),
});

export const listMyPasskeys = endpoint({
  ...forRole("viewer"),
  id: "listMyPasskeys",
  method: "GET",
  path: "/api/me/passkeys",
  summary: "One's passkeys",
  reply: t.Object({ data: t.Array(PasskeyLine) }),
  errors: [],
});

export const beginMyPasskey = endpoint({
  ...forRole("viewer"),
  id: "beginMyPasskey",
  method: "POST",
  path: "/api/me/passkeys",
  summary: "The challenge for a new passkey",
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, options: NewPasskeyOptions }),
  status: 201,
  errors: ["ERR001"],
  refusals: [409],
});

export const finishMyPasskey = endpoint({
  ...forRole("viewer"),
  id: "finishMyPasskey",
  method: "POST",
  path: "/api/me/passkeys/:uuid",
  summary: "Save a new passkey",
  params,
  body: t.Object({ name: Name(60), credential: NewCredential }),
  reply: Nothing,
  status: 201,
  errors: ["ERR001"],
});

export const deleteMyPasskey = endpoint({
  ...forRole("viewer"),
  id: "deleteMyPasskey",
  method: "DELETE",
  path: "/api/me/passkeys/:uuid",
  summary: "Delete a passkey",
  params,
  reply: Nothing,
  errors: ["ERR001"],
  refusals: [404],
});

const MemberLine = t.Object({
  uuid: Uuid,
  name: t.String(),
  email: t.String(),
  role: MemberRole,
  createdAt: Millis,
  /** Null while the invitation is open. */
  joinedAt: anyOf(Millis, t.Null()),
});
export type MemberLine = Static<typeof MemberLine>;

export const listTeam = endpoint({
  ...forRole("viewer"),
  id: "listTeam",
  method: "GET",
  path: "/api/members",
  summary: "The account's members",
  reply: t.Object({ data: t.Array(MemberLine) }),
  errors: [],
});

export const inviteMember = endpoint({
  ...forRole("owner"),
  id: "inviteMember",
  method: "POST",
  path: "/api/members",
  summary: "Invite a member by e-mail",
  body: t.Object({ email: Email, name: MaybeName, role: MemberRole }),
  reply: t.Object({ uuid: Uuid }),
  status: 201,
  errors: ["ERR001"],
  // 503: the invitation is saved, but its e-mail could not be sent.
  refusals: [409, 503],
});

export const inviteMemberAgain = endpoint({
  ...forRole("owner"),
  id: "inviteMemberAgain",
  method: "POST",
  path: "/api/members/:uuid/invitation",
  summary: "Send an invitation again",
  params,
  body: Nothing,
  bodyOptional: true,
  reply: Nothing,
  status: 201,
  errors: ["ERR001"],
  refusals: [404, 409, 503],
});

export const patchMember = endpoint({
  ...forRole("owner"),
  id: "patchMember",
  method: "PATCH",
  path: "/api/members/:uuid",
  summary: "Change a member's role",
  params,
  body: t.Object({ role: MemberRole }),
  reply: Nothing,
  errors: ["ERR001"],
  refusals: [404, 409],
});

export const deleteMember = endpoint({
  ...forRole("owner"),
  id: "deleteMember",
  method: "DELETE",
  path: "/api/members/:uuid",
  summary: "Remove a member or cancel an invitation",
  params,
  reply: Nothing,
  errors: ["ERR001"],
  refusals: [404, 409],
});

export const patchCustomer = endpoint({
  ...forRole("owner"),
  id: "patchCustomer",
  method: "PATCH",
  path: "/api/customer",
  summary: "Rename the account; needs the operator's approval if real e-mails are sent",
  body: t.Object({ name: NewName }),
  reply: Nothing,
  errors: ["ERR001"],
});

const AuditLine = t.Object({
  id: t.Integer(),
  at: Millis,
  action: t.String(),
  who: anyOf(t.String(), t.Null()),
  aboutWhom: anyOf(t.String(), t.Null()),
  brandUuid: anyOf(Uuid, t.Null()),
  brandName: anyOf(t.String(), t.Null()),
  environment: anyOf(t.String(), t.Null()),
  subject: anyOf(t.String(), t.Null()),
  changes: t.Array(t.Object({ path: t.String(), from: t.Optional(t.String()), to: t.Optional(t.String()) })),
});
export type AuditLine = Static<typeof AuditLine>;

export const listAudit = endpoint({
  ...forRole("viewer"),
  id: "listAudit",
  method: "GET",
  path: "/api/audit",
  summary: "Who changed what, newest first",
  query: t.Object({
    brand: t.Optional(Uuid),
    before: t.Optional(t.String({ pattern: "^[0-9]{1,15}$" })),
  }),
  reply: t.Object({ data: t.Array(AuditLine), hasOlder: t.Boolean() }),
  errors: ["ERR001"],
  refusals: [404],
});
