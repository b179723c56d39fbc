/** What a member of a customer's account may do. */
import { stringEnum } from "../primitives.ts";

/** Highest role first. Each role includes the rights of the roles after it. */
export const memberRoles = ["owner", "developer", "viewer"] as const;
export const MemberRole = stringEnum(...memberRoles);
export type MemberRole = (typeof memberRoles)[number];

/** Whether a role has the rights of the needed role. */
export function mayAs(role: MemberRole, needed: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(needed);
}
