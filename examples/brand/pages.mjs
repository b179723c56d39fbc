/** The shop's pages. Each one has a panel for developers, which says what the shop's server did. */
import { ways } from "./brands.mjs";
import { hero, icon, products } from "./pictures.mjs";

const shop = "Juniper Goods";
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const plain = (text) => String(text).replace(/[&<>"']/g, (one) => entities[one]);

/** A part of the shop. `layout` adds the rest of the page. */
const part = (title, body, look = "narrow") => ({ title, body, look });

/** A whole page: the shop's header, the part, and the panel. */
export function layout({ title, body, look }, { way, calls }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plain(title)} – ${shop}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
</head>
<body>
<header><a href="/">${icon} ${shop}</a><p>Free shipping over $50</p></header>
<main class="${look}"><h1>${plain(title)}</h1>
${body}
</main>
${panel({ way, calls })}
</body>
</html>
`;
}

/** What a shopper would not see: how the shop integrates, and the calls of this visitor's signup. */
function panel({ way, calls }) {
  const choices = Object.entries(ways).map(
    ([value, name]) => `<button name="way" value="${value}" aria-pressed="${value === way}">${name}</button>`,
  );
  const list = calls.map(({ method, path, status, code, why }) => {
    const outcome =
      status === undefined
        ? ""
        : `<b class="${status < 400 ? "ok" : "bad"}">${status}${code ? ` ${plain(code)}` : ""}</b> `;
    return `<li><code>${method} ${plain(path)}</code>${outcome}<span>${plain(why)}</span></li>`;
  });
  return `<aside aria-label="For developers">
<h2>Behind the scenes</h2>
<p>A shopper would not see this panel. Test phones accept the code <b>111111</b>.</p>
<h3 id="way">How this shop integrates</h3>
<form method="post" action="/way" aria-labelledby="way">${choices.join("")}</form>
<h3>What its server called, in order</h3>
${list.length === 0 ? "<p>Nothing yet. Sign up with your phone.</p>" : `<ol>${list.join("")}</ol>`}
</aside>`;
}

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

/** The shop's front, with one button. */
export function home() {
  const goods = products.map(
    ({ name, price, picture }) => `<li>${picture}<strong>${name}</strong><span>${price}</span></li>`,
  );
  return part(
    "Things that last",
    `<section class="hero">
<div><p>Members get 10% off the first order, and returns without a receipt.</p>
<form method="post" action="/signup"><button>Sign up with your phone</button></form></div>
${hero}
</section>
<ul class="goods">${goods.join("")}</ul>`,
    "",
  );
}

/** The phone screen, with the consent text that the specification requires on the page. */
export function phonePage({ way, walletUrl, phone = "(212) 555-0010", error = "" }) {
  return part(
    "Sign up with your phone",
    `<div class="card">${alert(error)}<form method="post" action="/${way}">
<label for="phone">Phone number</label>
<input id="phone" name="phone" type="tel" autocomplete="tel" value="${plain(phone)}" required>
<p class="fine">By continuing you agree to receive a text message to create an account for 1-Click Signup at ${shop} and other supported sites, and you agree to the <a href="${plain(walletUrl)}/terms">terms of use</a>.</p>
<button>Continue</button>
</form></div>`,
  );
}

/** The signup page with the SDK. The key is for this visitor and works once. */
export function embeddedPage({ walletUrl, sessionKey }) {
  return part(
    "Sign up with your phone",
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
  return part(
    "Enter your code",
    `<div class="card">${alert(error)}<form method="post" action="/api/code">
<label for="code">Verification code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" required>
<button>Continue</button>
</form></div>`,
  );
}

export function birthdayPage({ error = "" } = {}) {
  return part(
    "When were you born?",
    `<div class="card">${alert(error)}<form method="post" action="/api/birthday">
<label for="birthDate">Birthday</label>
<input id="birthDate" name="birthDate" type="date" autocomplete="bday" required>
<button>Continue</button>
</form></div>`,
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
  const text =
    fullName.firstName === undefined
      ? "Your account is ready."
      : `Thank you, ${plain(fullName.firstName)}. Your account is ready.`;
  return part("Welcome", `<p>${text} We filled in your details:</p><dl class="card">${list.join("")}</dl>${startOver}`);
}

export function manual(reason) {
  return part(
    "Tell us about you",
    `<p>${plain(reason)} Please enter your details.</p><form action="/" class="card">
<label for="name">Full name</label>
<input id="name" autocomplete="name">
<label for="email">Email</label>
<input id="email" type="email" autocomplete="email">
<p class="fine">This is the shop's ordinary form. The sample stops here and saves nothing.</p>
<button>Create account</button>
</form>${startOver}`,
  );
}

const startOver = '<p><a href="/">Back to the shop</a></p>';
const alert = (text) => (text === "" ? "" : `<p role="alert">${plain(text)}</p>`);
