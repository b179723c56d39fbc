import type { Values } from "./start-snippets.ts";

/** A complete website of the brand to paste: a server without dependencies, and a page with the frame. */
export function ownPage({ apiUrl, walletUrl, apiKey }: Values): string {
  return `cat > own-page.mjs <<'END'
import { createServer } from "node:http";
const key = "${apiKey}";
if (!/^sk_sandbox_\\w+$/.test(key)) {
  console.error("Put your API key into own-page.mjs: dashboard, API keys, Create a key");
  process.exit(1);
}
const headers = { authorization: key };
const page = \`<!doctype html><meta name="viewport" content="width=device-width"><title>My page</title>
<h1>Open an account</h1><div id="signup"></div><script src="${walletUrl}/sdk.js"></script><script type="module">
  const { sessionKey } = await (await fetch("/session", { method: "POST" })).json();
  let sdk;
  const say = (text) => {
    // The first error may come before there is an sdk.
    sdk?.destroy();
    document.querySelector("#signup").textContent = text;
  };
  sdk = new Countersign({
    sessionKey,
    walletUrl: "${walletUrl}",
    onError: ({ message }) => say(message),
    async onResult({ outcome, identityUuid }) {
      if (outcome !== "shared") return say("Not shared: " + outcome);
      const { identifiers, credentials } = await (await fetch("/read/" + identityUuid)).json();
      say("Verified: " + identifiers.phone + ", " + Object.keys(credentials).join(", "));
    },
  });
  sdk.show("#signup");
</script>\`;
const server = createServer(async ({ url }, response) => {
  if (url === "/") return response.setHeader("content-type", "text/html").end(page);
  const [, read] = /^\\/read\\/([0-9a-f-]{36})$/.exec(url) ?? [];
  if (read === undefined && url !== "/session") return response.writeHead(404).end();
  // In your own server, accept only an identityUuid that this person's session got.
  const path = read ? "/v2/1-click/" + read : "/v2/client/1-click";
  const answer = await fetch("${apiUrl}" + path, { method: read ? "GET" : "POST", headers });
  const body = await answer.text();
  if (!answer.ok) console.error(path + ": " + body);
  response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
});
server.listen(process.env.PORT ?? 4100, "localhost", () => console.log("Open http://localhost:" + server.address().port));
END
node own-page.mjs`;
}
