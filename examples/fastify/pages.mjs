/** The three pages of the quickstart. */
const page = (content) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Open an account</title></head>
<body><main>${content}</main></body>
</html>`;

export const phonePage = () =>
  page(`<h1>Open an account</h1>
<form method="post" action="/start">
<label>Phone number <input name="phone" type="tel" autocomplete="tel" value="+12125550010"></label>
<p>By continuing you agree to receive a text message to create an account for 1-Click Signup at Example Brand
and other supported sites, and you agree to the <a href="http://localhost:4001/terms">terms of use</a>.</p>
<button>Continue</button>
</form>`);

export const codePage = (problem = "") =>
  page(`<h1>Enter your code</h1>
<p role="alert">${problem}</p>
<form method="post" action="/finish">
<label>Verification code <input name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" required></label>
<button>Continue</button>
</form>`);

export const welcomePage = (fullName) =>
  page(`<h1>Welcome, ${plain(fullName?.firstName ?? "friend")}!</h1><p>Your account is ready.</p>`);

/** Your own form, for people Countersign cannot sign up. */
export const ownPage = () => page("<h1>Tell us about you</h1><p>Show your own signup form here.</p>");

const plain = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
