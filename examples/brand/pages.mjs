/** The brand's own pages. */

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const plain = (text) => String(text).replace(/[&<>"']/g, (one) => entities[one]);

export function page(title, body) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plain(title)}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body><main><h1>${plain(title)}</h1>
${body}
</main></body>
</html>
`;
}

export const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:30rem;padding:2rem 1.25rem}
label{display:block;font-weight:600;margin:1rem 0 .25rem}
input,button{box-sizing:border-box;width:100%;min-height:3rem;font:inherit;padding:.5rem .75rem}
button{margin-top:.75rem;cursor:pointer}
[role=alert]{border-left:4px solid #b00020;padding-left:.75rem}
dt{font-size:.875rem}dd{margin:0 0 .5rem;overflow-wrap:anywhere}
`;

/** The phone screen, with the consent text that the specification requires on the page. */
export function home({ walletUrl, error = "" }) {
  return page(
    "Open an account",
    `${alert(error)}<form method="post">
<label for="phone">Phone number</label>
<input id="phone" name="phone" type="tel" autocomplete="tel" value="+12125550010" required>
<p>By continuing you agree to receive a text message to create an account for 1-Click Signup at Example Brand and other supported sites, and you agree to the <a href="${plain(walletUrl)}/terms">terms of use</a>.</p>
<button formaction="/hosted">Continue on the wallet's pages (Hosted)</button>
<button formaction="/api">Continue on our own pages (API)</button>
</form>
<p><a href="/embedded">Continue in a frame on this page (SDK)</a></p>`,
  );
}

/** The signup page with the SDK. The key is for this visitor and works once. */
export function embeddedPage({ walletUrl, sessionKey }) {
  return page(
    "Open an account",
    `<div id="signup" data-wallet="${plain(walletUrl)}" data-key="${plain(sessionKey)}"></div>
<form id="done" method="post" action="/embedded"><input type="hidden" name="identityUuid"></form>
<script src="${plain(walletUrl)}/sdk.js"></script>
<script src="/embedded.js"></script>`,
  );
}

/** The script of that page. It gets only a uuid, which it sends to its own server. */
export const embeddedScript = `const place = document.getElementById("signup");
const form = document.getElementById("done");
const finish = (uuid) => {
  form.elements.identityUuid.value = uuid;
  form.submit();
};
const sdk = new Countersign({
  sessionKey: place.dataset.key,
  walletUrl: place.dataset.wallet,
  onResult: ({ type, identityUuid }) => finish(type === "USER_SHARED_CREDENTIALS" ? identityUuid : ""),
  onError: () => finish(""),
});
sdk.show(place);
`;

export function codePage({ error = "" } = {}) {
  return page(
    "Enter your code",
    `${alert(error)}<form method="post" action="/api/code">
<label for="code">Verification code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required>
<button>Continue</button>
</form>`,
  );
}

export function birthdayPage({ error = "" } = {}) {
  return page(
    "When were you born?",
    `${alert(error)}<form method="post" action="/api/birthday">
<label for="birthDate">Birthday</label>
<input id="birthDate" name="birthDate" type="date" autocomplete="bday" required>
<button>Continue</button>
</form>`,
  );
}

/** The filled-in account form. Sensitive digits are hidden. */
export function welcome(entity) {
  const { fullName = {}, address, birthDate = "", ssn = "" } = entity.credentials ?? {};
  const [home = {}] = [address].flat();
  const rows = {
    Name: [fullName.firstName, fullName.middleName, fullName.lastName].filter(Boolean).join(" "),
    Address: [home.line1, home.city, home.state, home.zipCode].filter(Boolean).join(", "),
    Birthday: birthDate.replace(/^\d{4}/, "••••"),
    "Social security number": ssn.replace(/^\d{5}/, "•••••"),
    Phone: entity.identifiers.phone,
  };
  const list = Object.entries(rows).map(([name, value]) => `<dt>${name}</dt><dd>${plain(value ?? "")}</dd>`);
  return page("Welcome", `<p>Your account is ready.</p><dl>${list.join("")}</dl>`);
}

export function manual(why) {
  return page("Tell us about you", `<p>${plain(why)}</p><p>Here the brand shows its ordinary form.</p>`);
}

const alert = (text) => (text === "" ? "" : `<p role="alert">${plain(text)}</p>`);
