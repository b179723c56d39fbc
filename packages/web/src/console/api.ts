/** The calls of the operator's console. */
import type { operatorHeader } from "@countersign/contract/console";
import { browserClient } from "../api/client.ts";
import { optionsWith, type Trouble } from "../dashboard/api.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";

// The contract's module is too large for a browser, so only its type is used.
const header: typeof operatorHeader = "countersign-operator";

export const api = browserClient<Endpoints, Trouble>(endpoints, optionsWith(header));
