/**
 * A sample brand that integrates Countersign in three ways, in plain Node without dependencies: Hosted (v2.0: the wallet
 * asks the person), SDK (v2.1: the wallet asks in a frame) and API (v2.1: the brand asks). Run
 * `node examples/brand/start.mjs` while `npm start` runs.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import { parseArgs } from "node:util";
import { countersign, Refused } from "./countersign.mjs";
import { birthdayPage, codePage, embeddedPage, embeddedScript, home, manual, style, welcome, why } from "./pages.mjs";

const { values } = parseArgs({
  options: {
    api: { type: "string", default: "http://localhost:4000" },
    wallet: { type: "string", default: "http://localhost:4001" },
    port: { type: "string", default: "4100" },
  },
});
const bodyMax = 4096;
const server = createServer((request, response) => {
  answer(request).then(
    ({ status = 200, headers = {}, body = "" }) => response.writeHead(status, headers).end(body),
    (error) => {
      process.stderr.write(`${error.stack}\n`);
      response.writeHead(500, { "content-type": "text/plain" }).end("Something went wrong.");
    },
  );
});
await new Promise((ready) => server.listen(Number(values.port), "127.0.0.1", ready));
const ownUrl = `http://localhost:${server.address().port}`;

// Usually you do this once in the dashboard. In the sandbox a call creates a brand of each type.
const operator = countersign({ apiUrl: values.api, apiKey: "sk_sandbox_demo_api" });
const brandOf = async (integrationType) => {
  const settings = { externalName: "Example Brand", integrationType, redirectUrl: `${ownUrl}/welcome` };
  return countersign({ apiUrl: values.api, apiKey: (await operator.createBrand(settings)).apiKey });
};
const hosted = await brandOf("hosted");
const api = await brandOf("api");
const sdk = await brandOf("sdk");
process.stdout.write(`Example brand: ${ownUrl}\n`);

/** What this server remembers about each visitor. It is never in a URL or in the browser. */
const visits = new Map();

async function answer(request) {
  const url = new URL(request.url, ownUrl);
  const visit = visitOf(request);
  const form = request.method === "POST" ? await formOf(request) : new URLSearchParams();
  const route = routes[`${request.method} ${url.pathname}`];
  if (route === undefined) return { status: 404, body: "Nothing here." };
  const cookie = { "set-cookie": `visit=${visit.id}; HttpOnly; SameSite=Lax; Path=/` };
  const made = await inTurn(visit, async () => {
    const page = await route({ visit, form, query: url.searchParams });
    if (request.method !== "POST" || typeof page !== "string") return page;
    // A form leads to a page with its own address, so reloading that page sends nothing twice and loses nothing.
    visit.page = page;
    return goTo("/now");
  });
  return typeof made === "string"
    ? { headers: { ...cookie, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }, body: made }
    : { ...made, headers: { ...cookie, ...made.headers } };
}

/** Answers a visitor's requests one after another: the second of two quick clicks finds what the first one did. */
function inTurn(visit, work) {
  const answered = visit.turn.then(work);
  visit.turn = answered.catch(() => {});
  return answered;
}

const goTo = (location) => ({ status: 303, headers: { location } });

const routes = {
  "GET /": () => home({ walletUrl: values.wallet }),
  "GET /now": ({ visit }) => visit.page ?? goTo("/"),
  "GET /style.css": () => ({ headers: { "content-type": "text/css; charset=utf-8" }, body: style }),

  // Hosted: start the 1-Click, text the code, redirect the person to the wallet, and read the data when they return.
  "POST /hosted": async ({ visit, form }) => {
    const typed = form.get("phone") ?? "";
    try {
      const { uuid, url, code } = await hosted.beginOneClick({ phone: e164(typed) });
      visit.begun.set(uuid, undefined);
      text(e164(typed), `${code} is your code for Example Brand.`);
      return goTo(url);
    } catch (error) {
      return again(typed, error);
    }
  },
  "GET /welcome": async ({ visit, query }) => {
    const uuid = query.get("identityUuid");
    // The URL proves nothing. Trust only a 1-Click that this visitor started here, and only what its read returns.
    if (!visit.begun.has(uuid)) return manual("We do not know this visit.");
    if (query.get("optedOut") === "true") return manual(why({ code: "USER_OPTED_OUT" }));
    const page = visit.begun.get(uuid) ?? (await readPage(hosted, uuid));
    visit.begun.set(uuid, page);
    return page;
  },

  // SDK: create a key for this visitor's page. Afterwards the page sends the result that it got.
  "POST /embedded": ({ visit }) => {
    visit.page = undefined;
    return goTo("/embedded");
  },
  "GET /embedded": async ({ visit }) =>
    visit.page === undefined
      ? embeddedPage({ walletUrl: values.wallet, ...(await sdk.createSession()) })
      : goTo("/now"),
  "GET /embedded.js": () => ({ headers: { "content-type": "text/javascript; charset=utf-8" }, body: embeddedScript }),
  "POST /embedded/result": async ({ form }) => {
    const uuid = form.get("identityUuid") ?? "";
    return uuid === "" ? manual(why({ code: form.get("type") })) : await readPage(sdk, uuid);
  },

  // API: prove the phone on our own page, then ask for the data.
  "POST /api": async ({ visit, form }) => {
    const typed = form.get("phone") ?? "";
    try {
      const { uuid } = await api.createVerification(e164(typed));
      await api.deliver(uuid);
      visit.signup = { verificationUuid: uuid };
      return codePage();
    } catch (error) {
      return again(typed, error);
    }
  },
  "POST /api/code": async ({ visit, form }) => {
    const { signup } = visit;
    if (signup === undefined) return goTo("/now");
    try {
      if (!signup.isProven) await api.verify(signup.verificationUuid, (form.get("code") ?? "").replace(/\D/g, ""));
    } catch (error) {
      const { code, data } = refused(error);
      if (code === "ERR001") return codePage({ error: "Enter the six digits of the text." });
      if (code === "OCV001" && data.attemptsRemaining > 0)
        return codePage({ error: `That code is not right. Tries left: ${data.attemptsRemaining}` });
      return home({ walletUrl: values.wallet, error: why(refused(error)) });
    }
    signup.isProven = true;
    return await signUp(visit, {});
  },
  "POST /api/birthday": async ({ visit, form }) =>
    visit.signup?.isProven ? await signUp(visit, { birthDate: form.get("birthDate") ?? "" }) : goTo("/now"),
};

/** What a person shared, or why there is nothing. */
async function readPage(brand, uuid) {
  try {
    const entity = await brand.readOneClick(uuid);
    return entity.credentials === undefined ? manual(why({ code: "declined" })) : welcome(entity);
  } catch (error) {
    return manual(why(refused(error)));
  }
}

/** The first page again, with what the person typed. ERR001 means that the text is not a phone number. */
function again(phone, error) {
  const { code } = refused(error);
  return home({ walletUrl: values.wallet, phone, error: why({ code: code === "ERR001" ? "OCE002" : code }) });
}

/** A US phone as people type it, in E.164. The service refuses numbers that do not exist. */
function e164(typed) {
  return `+1${typed.replace(/\D/g, "").replace(/^1(?=\d{10}$)/, "")}`;
}

async function signUp(visit, inputs) {
  const { verificationUuid, identityUuid } = visit.signup;
  const known = identityUuid === undefined ? {} : { identityUuid };
  try {
    const { identity } = await api.beginOneClick({ verificationUuid, ...known, ...inputs });
    visit.signup = undefined;
    return welcome(identity);
  } catch (error) {
    const { code, data } = refused(error);
    if (code === "OCE012") return birthdayPage({ error: "That does not match. Check it and try again." });
    if (code === "OCE011" && data.additionalInputs.includes("birthDate")) {
      visit.signup.identityUuid = data.identityUuid;
      return birthdayPage();
    }
    visit.signup = undefined;
    return manual(why({ code }));
  }
}

function refused(error) {
  if (error instanceof Refused) return error;
  throw error;
}

/** The brand's own SMS gateway. This one writes to the terminal. */
function text(to, body) {
  process.stdout.write(`Text to ${to}: ${body}\n`);
}

function visitOf(request) {
  const id = /(?:^|;\s*)visit=([0-9a-f-]{36})/.exec(request.headers.cookie ?? "")?.[1];
  const known = id === undefined ? undefined : visits.get(id);
  if (known !== undefined) return known;
  const made = { id: randomUUID(), begun: new Map(), turn: Promise.resolve() };
  visits.set(made.id, made);
  return made;
}

async function formOf(request) {
  let body = "";
  for await (const part of request) {
    body += part;
    if (body.length > bodyMax) throw new Error("the form is too large");
  }
  return new URLSearchParams(body);
}
