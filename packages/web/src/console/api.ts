/** The calls of the operator's console. */
import { browserClient } from "../api/client.ts";
import { type Trouble, troubleOf } from "../dashboard/api.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";

export const api = browserClient<Endpoints, Trouble>(endpoints, {
  credentials: "same-origin",
  deadlineMs: 20_000,
  troubleOf,
  lost: { kind: "lost", message: "", problems: [] },
});
