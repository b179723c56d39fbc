import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Guard } from "../mount.ts";
import type { WebAssets } from "./assets.ts";
import { languageOf, plain, sendPage } from "./html.ts";

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `/demo/landing` of the sandbox: where a brand's person comes back to, and what the brand's server does then. */
export function routesDemo(
  app: FastifyInstance,
  about: { guard: Guard<void>; assets: WebAssets; apiUrl(): string },
): void {
  app.get("/demo/landing", async (request, reply) => {
    await about.guard(request, reply);
    const language = languageOf(request);
    return sendPage(
      reply,
      { language, title: titleOf(request), html: landing(request, about.apiUrl()), hasSwitch: false },
      about.assets,
    );
  });
}

function titleOf(request: FastifyRequest): string {
  if (parameter(request, "optedOut") === "true") return "You chose to type it yourself";
  return idOf(request) === null ? "Demo landing page" : "Welcome back";
}

function landing(request: FastifyRequest, apiUrl: string): string {
  const found = idOf(request);
  const intro = "<p>This page stands for a brand's own: people come back to it from the wallet.</p>";
  if (found === null)
    return `${intro}\n<p>Nobody came back yet. Begin with <code>POST ${plain(apiUrl)}/v2/1-click</code>.</p>`;
  if (parameter(request, "optedOut") === "true")
    return `${intro}\n<p>The person did not share. The brand now shows its ordinary form; there is nothing to read.</p>`;
  const path = {
    identityUuid: `/v2/1-click/${found.id}`,
    "1ClickUuid": `/1-click/${found.id}`,
    verificationUuid: `/v2/1-click/verifications/${found.id}`,
  }[found.name];
  return `${intro}
<p>The address brought <code>${found.name}</code>. That alone proves nothing: the brand's server now asks, with its own key.</p>
<pre tabindex="0"><code>curl ${plain(apiUrl)}${path} -H 'Authorization: &lt;the brand's key&gt;'</code></pre>`;
}

type Found = { name: "identityUuid" | "1ClickUuid" | "verificationUuid"; id: string };

function idOf(request: FastifyRequest): Found | null {
  for (const name of ["identityUuid", "1ClickUuid", "verificationUuid"] as const) {
    const id = parameter(request, name);
    if (id !== null && uuidPattern.test(id)) return { name, id };
  }
  return null;
}

function parameter(request: FastifyRequest, name: string): string | null {
  return new URLSearchParams(request.url.split("?")[1] ?? "").get(name);
}
