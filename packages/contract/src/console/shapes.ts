/** Shapes that the console's endpoints share. */
import { type EndpointGroup, endpointsOf } from "../endpoint.ts";
import { t } from "../primitives.ts";
import type { OperatorRole } from "./role.ts";

export const consoleTag = "Console";

/** Returns the function that declares operations for this role or a higher one. */
const forOperatorRole = (operatorRole: OperatorRole, more: Pick<EndpointGroup, "refusals"> = {}) =>
  endpointsOf({ tag: consoleTag, auth: "operator", operatorRole, ...more });
export const forSupport = forOperatorRole("support");
export const forOperator = forOperatorRole("operator");

/** Why somebody acts or looks at a person. The audit log keeps it. */
export const Reason = t.String({ minLength: 3, maxLength: 300, pattern: "^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$" });

/** A phone as a person writes it. It is only in bodies, so that no URL has it. */
export const TypedPhone = t.String({ minLength: 1, maxLength: 40 });
