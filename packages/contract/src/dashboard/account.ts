/** Dashboard endpoints for members and their account. Not part of the public API. */

import type { Static } from "typebox";
import { anyOf, Email, Millis, stringEnum, t, Uuid } from "../primitives.ts";
import { MemberRole } from "./member.ts";
import { NewCredential, NewPasskeyOptions } from "./passkey.ts";
import { forOwner, forViewer, NewName, Nothing, WaitingName } from "./shapes.ts";

const params = t.Object({ uuid: Uuid });
/** A one-line name that people read. It has no leading or trailing blanks and no control characters. */
export const Name = (maxLength: number) =>
  t.String({ minLength: 1, maxLength, pattern: "^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$" });
const MaybeName = t.String({ maxLength: 100 });

/**
 * The header in which a page names the member whom it shows, by `uuid`. The cookie may belong to another member by now,
 * who signed in in another tab. A call without it comes from no such page.
 */
export const memberHeader = "countersign-member";

const Me = t.Object({
  member: t.Object({ uuid: Uuid, name: t.String(), email: t.String(), role: MemberRole }),
  customer: t.Object({
    uuid: Uuid,
    name: t.String(),
    /** Whether members must sign in with a passkey. */
    requiresPasskey: t.Boolean(),
    waitingName: t.Optional(WaitingName),
  }),
  /** The URLs of each running environment. */
  environments: t.Array(
    t.Object({ environment: stringEnum("sandbox", "production"), apiUrl: t.String(), walletUrl: t.String() }),
  ),
  hasPasskey: t.Boolean(),
  /** Whether this session may only add a passkey, because the account requires one. */
  needsPasskey: t.Boolean(),
  /** Whether this session may add a passkey. False if the account requires the passkey that the member did not use. */
  mayAddPasskey: t.Boolean(),
  /** Whether the member signed in within the last ten minutes, as a change of passkeys requires. */
  isFresh: t.Boolean(),
});
export type Me = Static<typeof Me>;

export const readMe = forViewer("readMe", "GET /api/me", {
  summary: "Who is signed in, and to which account",
  reply: Me,
});

export const setPasskeyPolicy = forOwner("setPasskeyPolicy", "PUT /api/customer/passkey-policy", {
  summary: "Set whether every member needs a passkey",
  body: t.Object({ requiresPasskey: t.Boolean() }),
  reply: Nothing,
  refusals: [409],
});

export const patchMe = forViewer("patchMe", "PATCH /api/me", {
  summary: "Change your own name",
  body: t.Object({ name: MaybeName }),
  reply: Nothing,
});

export const signOutMember = forViewer("signOutMember", "DELETE /api/session", {
  summary: "End this session",
  reply: Nothing,
});

const SessionLine = t.Object({
  uuid: Uuid,
  method: stringEnum("code", "link", "passkey", "openid"),
  device: t.String(),
  createdAt: Millis,
  lastUsedAt: Millis,
  isThisOne: t.Boolean(),
});

export const listMySessions = forViewer("listMySessions", "GET /api/me/sessions", {
  summary: "Your sessions",
  reply: t.Object({ data: t.Array(SessionLine) }),
});

export const endMyOtherSessions = forViewer("endMyOtherSessions", "DELETE /api/me/sessions", {
  summary: "Sign the member out everywhere else",
  reply: t.Object({ ended: t.Integer() }),
});

export const endMySession = forViewer("endMySession", "DELETE /api/me/sessions/:uuid", {
  summary: "End another session",
  params,
  reply: Nothing,
  refusals: [404],
});

const PasskeyLine = t.Object({
  uuid: Uuid,
  name: t.String(),
  isSynced: t.Boolean(),
  createdAt: Millis,
  lastUsedAt: anyOf(Millis, t.Null()),
});

export const listMyPasskeys = forViewer("listMyPasskeys", "GET /api/me/passkeys", {
  summary: "One's passkeys",
  reply: t.Object({ data: t.Array(PasskeyLine) }),
});

export const beginMyPasskey = forViewer("beginMyPasskey", "POST /api/me/passkeys", {
  summary: "The challenge for a new passkey",
  body: Nothing,
  bodyOptional: true,
  reply: t.Object({ uuid: Uuid, options: NewPasskeyOptions }),
  status: 201,
  refusals: [409],
});

export const finishMyPasskey = forViewer("finishMyPasskey", "POST /api/me/passkeys/:uuid", {
  summary: "Save a new passkey",
  params,
  body: t.Object({ name: Name(60), credential: NewCredential }),
  reply: Nothing,
  status: 201,
});

export const deleteMyPasskey = forViewer("deleteMyPasskey", "DELETE /api/me/passkeys/:uuid", {
  summary: "Delete a passkey",
  params,
  reply: Nothing,
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
  /** Only owners get this member, because it shows which accounts are easier to take over. */
  hasPasskey: t.Optional(t.Boolean()),
});
export type MemberLine = Static<typeof MemberLine>;

export const listTeam = forViewer("listTeam", "GET /api/members", {
  summary: "The account's members",
  reply: t.Object({ data: t.Array(MemberLine) }),
});

export const inviteMember = forOwner("inviteMember", "POST /api/members", {
  summary: "Invite a member by email",
  body: t.Object({ email: Email, name: MaybeName, role: MemberRole }),
  reply: t.Object({ uuid: Uuid }),
  status: 201,
  // 503: the invitation is saved, but its email could not be sent.
  refusals: [409, 503],
});

export const inviteMemberAgain = forOwner("inviteMemberAgain", "POST /api/members/:uuid/invitation", {
  summary: "Send an invitation again",
  params,
  body: Nothing,
  bodyOptional: true,
  reply: Nothing,
  status: 201,
  refusals: [404, 409, 503],
});

export const patchMember = forOwner("patchMember", "PATCH /api/members/:uuid", {
  summary: "Change a member's role",
  params,
  body: t.Object({ role: MemberRole }),
  reply: Nothing,
  refusals: [404, 409],
});

export const deleteMember = forOwner("deleteMember", "DELETE /api/members/:uuid", {
  summary: "Remove a member or cancel an invitation",
  params,
  reply: Nothing,
  refusals: [404, 409],
});

export const patchCustomer = forOwner("patchCustomer", "PATCH /api/customer", {
  summary: "Rename the account; needs the operator's approval if real emails are sent",
  body: t.Object({ name: NewName }),
  reply: Nothing,
});
