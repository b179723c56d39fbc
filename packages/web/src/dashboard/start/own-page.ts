import type { Values } from "./start-snippets.ts";

/** A whole site of the brand in one paste: a server without dependencies, and a page with the frame. */
export function ownPage({ apiUrl, walletUrl, apiKey }: Values): string {
  return `cat > own-page.mjs <<'END'
import { createServer } from "node:http";
const headers = { authorization: "${apiKey}" };
const page = \`<!doctype html><meta name="viewport" content="width=device-width"><title>My page</title>
<h1>Open an account</h1><div id="signup"></div><script src="${walletUrl}/sdk.js"></script><script type="module">
  const { sessionKey } = await (await fetch("/session", { method: "POST" })).json();
  const say = (text) => {
    sdk.destroy();
    document.querySelector("#signup").textContent = text;
  };
  const sdk = new Countersign({
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
  const read = url.startsWith("/read/");
  const path = read ? "/v2/1-click/" + url.slice(6) : "/v2/client/1-click";
  const answer = await fetch("${apiUrl}" + path, { method: read ? "GET" : "POST", headers });
  response.setHeader("content-type", "application/json").end(await answer.text());
});
server.listen(process.env.PORT ?? 4100, "localhost", () => console.log("Open http://localhost:" + server.address().port));
END
node own-page.mjs`;
}
