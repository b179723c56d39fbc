/** The script of the demo page: code of a brand that uses the SDK, and a panel that shows the SDK's callbacks. */
import "./sdk-page.css";

type Told = Record<string, unknown>;
type Sdk = { show(element: Element | null): void; destroy(): void };
type SdkClass = new (options: {
  sessionKey: string;
  walletUrl: string;
  onResult(result: Told): void;
  onError(error: Told): void;
  onEvent(event: Told): void;
}) => Sdk;

declare global {
  interface Window {
    Countersign?: SdkClass;
  }
}

const form = document.querySelector("form");
const place = document.getElementById("signup");
const panel = document.getElementById("told");
let sdk: Sdk | undefined;

function tell(who: string, what: Told): void {
  const line = document.createElement("li");
  const name = document.createElement("strong");
  name.textContent = who;
  const text = document.createElement("code");
  text.textContent = JSON.stringify(what);
  line.append(name, " ", text);
  panel?.append(line);
}

/** Replaces the brand's server, which would call the API with its key. */
async function sessionKey(flow: string): Promise<string> {
  const answer = await fetch("/demo/sdk/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ flow }),
  });
  const body: { sessionKey?: string; message?: string } = await answer.json();
  if (body.sessionKey === undefined) throw new Error(body.message ?? String(answer.status));
  return body.sessionKey;
}

async function begin(flow: string): Promise<void> {
  sdk?.destroy();
  panel?.replaceChildren();
  const key = await sessionKey(flow).catch((error: Error) => {
    tell("your server", { error: error.message });
    return null;
  });
  if (key === null || window.Countersign === undefined) return;
  sdk = new window.Countersign({
    sessionKey: key,
    walletUrl: window.location.origin,
    onResult: (result) => tell("onResult", result),
    onError: (error) => tell("onError", error),
    onEvent: (event) => tell("onEvent", event),
  });
  sdk.show(place);
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  void begin(String(new FormData(form).get("flow")));
});
