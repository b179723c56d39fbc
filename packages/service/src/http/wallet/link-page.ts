import type { LinkPage } from "../../domain/verification/link.ts";

/** A page's text and what its policy must allow besides itself. */
export type Page = { html: string; formTargets: string[] };

/** What a link of a text opens: who asks, for what, since when; and the two things the person can do. */
export function linkPage(page: LinkPage): Page {
  const name = plain(page.brand.settings.externalName);
  const sent = `${new Date(page.sentAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return {
    // A browser holds the redirect that follows a form against the form's policy.
    formTargets: page.target === null ? [] : [page.target.origin],
    html: document(
      `Verify your phone for ${name}`,
      `<p><strong>${name}</strong> asks you to verify that this phone is yours. The text was sent on <time datetime="${new Date(page.sentAt).toISOString()}">${sent}</time>.</p>
<form method="post"><input type="hidden" name="choice" value="continue"><button class="main">Continue</button></form>
<form method="post"><input type="hidden" name="choice" value="deny"><button>I did not ask for this</button></form>
<p class="quiet">Continue only if you asked for this just now. ${name} gets to know that you hold this phone, and nothing else.</p>`,
    ),
  };
}

export function messagePage(title: string, text: string): Page {
  return { html: document(plain(title), `<p>${plain(text)}</p>`), formTargets: [] };
}

function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="/v/style.css">
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

export const linkStyle = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0;display:grid;place-items:center;min-height:100dvh}
main{box-sizing:border-box;width:min(100%,26rem);padding:1.5rem}
h1{font-size:1.375rem;line-height:1.25;overflow-wrap:anywhere}
button{box-sizing:border-box;width:100%;min-height:3rem;margin:0 0 .75rem;padding:.75rem 1rem;font:inherit;border:1px solid;border-radius:.5rem;background:transparent;color:inherit;cursor:pointer}
button.main{background:#0b6e4f;border-color:#0b6e4f;color:#fff;font-weight:600}
button:focus-visible{outline:3px solid;outline-offset:2px}
.quiet{font-size:.875rem;opacity:.85}
`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function plain(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
