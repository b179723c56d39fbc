import { browserClient, errorData } from "../api/client.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";

const lost = "The service did not answer. Press Restart.";

/** The calls of the stage's own page. A trouble is a sentence. */
export const api = browserClient<Endpoints, string>(endpoints, {
  credentials: "omit",
  deadlineMs: 25_000,
  lost,
  troubleOf: (status, answer) =>
    status === 429 ? "Too many signups at once. Wait a minute, then press Restart." : messageOf(answer),
});

function messageOf(answer: unknown): string {
  const { errorCode } = errorData(answer);
  return typeof errorCode === "string" ? `The service answered ${errorCode}. Press Restart.` : lost;
}
