/** The pages of the console, in the order of the menu, and the role that each needs. */
import type { OperatorRole } from "@countersign/contract/operator-role";
import {
  Activity,
  BadgeCheck,
  DatabaseZap,
  FileClock,
  MessageSquareText,
  Plug,
  Store,
  UserCog,
  UserSearch,
} from "lucide";
import type { IconNode } from "../ui/icon.tsx";

export const pages = [
  { path: "/", name: "status", icon: Activity, role: "support" },
  { path: "/approvals", name: "approvals", icon: BadgeCheck, role: "support" },
  { path: "/customers", name: "customers", icon: Store, role: "support" },
  { path: "/person", name: "people", icon: UserSearch, role: "support" },
  { path: "/texts", name: "texts", icon: MessageSquareText, role: "support" },
  { path: "/audit", name: "audit", icon: FileClock, role: "support" },
  { path: "/vendors", name: "vendors", icon: Plug, role: "operator" },
  { path: "/retention", name: "retention", icon: DatabaseZap, role: "operator" },
  { path: "/operators", name: "operators", icon: UserCog, role: "operator" },
] as const satisfies readonly { path: string; name: string; icon: IconNode; role: OperatorRole }[];

/** The own passkeys. The name in the top bar leads to them. */
export const ownPath = "/me";
