/** What a person may do in the operator's console. */
import { stringEnum } from "../primitives.ts";

/** Highest role first. `support` looks at records and deletes people; `operator` also decides about brands. */
export const operatorRoles = ["operator", "support"] as const;
export const OperatorRole = stringEnum(...operatorRoles);
export type OperatorRole = (typeof operatorRoles)[number];

/** Whether a role has the rights of the needed role. */
export function mayOperateAs(role: OperatorRole, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) <= operatorRoles.indexOf(needed);
}
