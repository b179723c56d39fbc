/** What a member of a customer's account may do. */
import { oneOf } from "./primitives.ts";

/** Most first: each may do what those after it may. */
export const memberRoles = ["owner", "developer", "viewer"] as const;
export const MemberRole = oneOf(...memberRoles);
export type MemberRole = (typeof memberRoles)[number];

/** Whether a role is enough for what needs another. */
export function mayAs(role: MemberRole, needed: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(needed);
}
