/** The brand's own pages. */

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const plain = (text) => String(text).replace(/[&<>"']/g, (one) => entities[one]);

export function page(title, body) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plain(title)} – Example Brand</title>
<link rel="stylesheet" href="/style.css">
</head>
<body><header>Example Brand</header><main><h1>${plain(title)}</h1>
${body}
</main></body>
</html>
`;
}

export const style = `:root{color-scheme:light dark;--line:light-dark(#8a8f98,#7d838c);--go:light-dark(#1a56b0,#8ab8ff);background:light-dark(#fff,#14171a);color:light-dark(#16191d,#e8eaed);font:1rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:27.5rem;padding:1.5rem 1.25rem 3rem}
header{font-weight:700}
h1{font-size:1.75rem;line-height:1.2;margin:1.5rem 0 1rem}
h2{font-size:1.125rem;margin:2.5rem 0 0}
a{color:var(--go)}
label{display:block;font-weight:600;margin:1rem 0 .25rem}
input,button{box-sizing:border-box;width:100%;min-height:3rem;font:inherit;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem}
input{background:none;color:inherit}
button{margin-top:.75rem;cursor:pointer;font-weight:600;background:none;color:var(--go)}
button.first{background:var(--go);border-color:var(--go);color:light-dark(#fff,#14171a)}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}
.fine{font-size:.875rem}
[role=alert]{border-left:4px solid light-dark(#b00020,#ff8a95);padding-left:.75rem}
[hidden]{display:none}
dt{font-size:.875rem;margin-top:.75rem;color:light-dark(#5a616b,#a3abb5)}dd{margin:0;overflow-wrap:anywhere}
`;

const notFound = "We found no details for this phone number.";
const risky = "We cannot fill in your details for this phone number.";
const mismatched = "Your answers did not match too many times.";
const wrongCodes = "The code was wrong too many times.";
/** What the brand says, by the type of a result of the SDK or by the code of an error. */
const reasons = {
  declined: "You chose not to share your details.",
  USER_OPTED_OUT: "You chose to type it yourself.",
  NO_CREDENTIALS_FOUND: notFound,
  OCE013: notFound,
  RISK_SCORE_TOO_HIGH: risky,
  OCE017: risky,
  MAX_INPUT_ATTEMPTS_EXCEEDED: mismatched,
  OCE019: mismatched,
  MAX_VERIFICATION_CODE_ATTEMPTS_EXCEEDED: wrongCodes,
  OCV002: wrongCodes,
  OCV007: "The code has expired.",
  OCE002: "Enter a US phone number with ten digits.",
  SESSION_TIMEOUT: "This took too long.",
};

/** The brand's text about why it continues with its own form. */
export const why = ({ code }) => reasons[code] ?? "This did not work.";

/** The phone screen, with the consent text that the specification requires on the page. */
export function home({ walletUrl, phone = "(212) 555-0010", error = "" }) {
  return page(
    "Open an account",
    `${alert(error)}<form method="post">
<label for="phone">Phone number</label>
<input id="phone" name="phone" type="tel" autocomplete="tel" value="${plain(phone)}" required>
<p class="fine">By continuing you agree to receive a text message to create an account for 1-Click Signup at Example Brand and other supported sites, and you agree to the <a href="${plain(walletUrl)}/terms">terms of use</a>.</p>
<button class="first" formaction="/hosted">Continue in the wallet (Hosted)</button>
<button formaction="/api">Continue here (API)</button>
</form>
<h2>Or skip this form</h2>
<form method="post" action="/embedded"><button>Continue in a frame (SDK)</button></form>`,
  );
}

/** The signup page with the SDK. The key is for this visitor and works once. */
export function embeddedPage({ walletUrl, sessionKey }) {
  return page(
    "Open an account",
    `<div id="signup" data-wallet="${plain(walletUrl)}" data-key="${plain(sessionKey)}"></div>
<div id="problem" role="alert" hidden><p>We could not reach our server. Your answer is kept.</p><button id="again">Try again</button></div>
<script src="${plain(walletUrl)}/sdk.js"></script>
<script src="/embedded.js"></script>`,
  );
}

/** The script of that page. It gets only a uuid, which it sends to its own server. */
export const embeddedScript = `const place = document.getElementById("signup");
const problem = document.getElementById("problem");

/** Keeps the result in the tab until the server has it: the person may reload, or the server may not answer. */
function finish({ type, identityUuid }) {
  sessionStorage.setItem("result", new URLSearchParams({ type, identityUuid: identityUuid ?? "" }));
  send();
}

async function send() {
  problem.hidden = true;
  const body = new URLSearchParams(sessionStorage.getItem("result"));
  const answer = await fetch("/embedded/result", { method: "POST", body, keepalive: true }).catch(() => null);
  problem.hidden = answer?.ok === true;
  if (!answer?.ok) return;
  sessionStorage.removeItem("result");
  location.replace("/now");
}

function begin() {
  const sdk = new Countersign({
    sessionKey: place.dataset.key,
    walletUrl: place.dataset.wallet,
    onResult: finish,
    onError({ reason }) {
      sdk.destroy();
      finish({ type: reason });
    },
  });
  sdk.show("#signup");
}

document.getElementById("again").addEventListener("click", send);
if (sessionStorage.getItem("result") === null) begin();
else send();
`;

export function codePage({ error = "" } = {}) {
  return page(
    "Enter your code",
    `${alert(error)}<form method="post" action="/api/code">
<label for="code">Verification code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" required>
<button class="first">Continue</button>
</form>`,
  );
}

export function birthdayPage({ error = "" } = {}) {
  return page(
    "When were you born?",
    `${alert(error)}<form method="post" action="/api/birthday">
<label for="birthDate">Birthday</label>
<input id="birthDate" name="birthDate" type="date" autocomplete="bday" required>
<button class="first">Continue</button>
</form>`,
  );
}

/** The filled-in account form. Sensitive digits are hidden. */
export function welcome(entity) {
  const { fullName = {}, address, birthDate = "", ssn = "" } = entity.credentials ?? {};
  const [home = {}] = [address].flat();
  const rows = {
    Name: [fullName.firstName, fullName.middleName, fullName.lastName].filter(Boolean).join(" "),
    Address: [home.line1, home.city, [home.state, home.zipCode].filter(Boolean).join(" ")].filter(Boolean).join(", "),
    Birthday: birthDate.replace(/^\d{4}-(\d\d)-(\d\d)$/, "$1/$2/••••"),
    "Social Security number": ssn.replace(/^\d{5}/, "•••-••-"),
    Phone: entity.identifiers.phone?.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3"),
  };
  const known = Object.entries(rows).filter(([, value]) => value);
  const list = known.map(([name, value]) => `<dt>${name}</dt><dd>${plain(value)}</dd>`);
  return page("Welcome", `<p>Your account is ready.</p><dl>${list.join("")}</dl>${startOver}`);
}

export function manual(reason) {
  return page(
    "Tell us about you",
    `<p>${plain(reason)} Please enter your details.</p><form action="/">
<label for="name">Full name</label>
<input id="name" autocomplete="name">
<label for="email">Email</label>
<input id="email" type="email" autocomplete="email">
<p class="fine">This is the brand's ordinary form. The sample stops here and saves nothing.</p>
<button class="first">Create account</button>
</form>${startOver}`,
  );
}

const startOver = '<p><a href="/">Start over</a></p>';
const alert = (text) => (text === "" ? "" : `<p role="alert">${plain(text)}</p>`);
