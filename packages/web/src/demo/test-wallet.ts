/**
 * The sandbox's test wallet: tells the page that opened it that it is ready, and answers its request with the chosen ID.
 */
import type { DigitalCredentialPart } from "@countersign/contract/test-wallet";

type Requests = readonly DigitalCredentialPart[];
const opener: Window | null = window.opener;
const { origin } = window.location;
const byId = (id: string) => document.getElementById(id);
const form = byId("holding");
const [give, cancel] = ["give", "cancel"].map((id) => byId(id));
let requests: Requests = [];

window.addEventListener("message", ({ source, origin: from, data }) => {
  if (source !== opener || from !== origin || data?.type !== "requests") return;
  requests = data.requests;
  const asked = byId("asked");
  if (asked !== null) asked.textContent = "Countersign asks for details of a state ID. Choose one to share.";
  for (const button of [give, cancel]) button?.removeAttribute("disabled");
  give?.focus();
});
opener?.postMessage({ type: "ready" }, origin);

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(form instanceof HTMLFormElement)) return;
  const chosen = new FormData(form);
  const protocol = String(chosen.get("protocol"));
  const request = requests.find((one) => one.protocol.startsWith(protocol)) ?? requests[0];
  const mistake = String(chosen.get("mistake"));
  const response = await fetch("/demo/state-id/answer", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: chosen.get("id"), request, ...(mistake === "" ? {} : { mistake }) }),
  }).catch(() => null);
  if (response === null || !response.ok) return tell("This didn’t work. Try again.");
  send(await response.json());
});
cancel?.addEventListener("click", () => send(null));

/** Answers the page that asked, and closes this window. */
function send(answer: DigitalCredentialPart | null): void {
  opener?.postMessage({ type: "answer", answer }, origin);
  window.close();
}

function tell(text: string): void {
  const problem = document.createElement("p");
  problem.className = "problem";
  problem.textContent = text;
  byId("trouble")?.replaceChildren(problem);
}
