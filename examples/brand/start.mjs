/**
 * A sample shop that integrates Countersign in three ways, in plain Node without dependencies: SDK (v2.1: the wallet asks
 * in a frame), Hosted (v2.0: the wallet's pages ask) and API (v2.1: the shop asks). Run
 * `node examples/brand/start.mjs` while `npm start` runs.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openBrands, ways } from "./brands.mjs";
import { countersign, Refused } from "./countersign.mjs";
import {
  birthdayPage,
  codePage,
  embeddedPage,
  embeddedScript,
  home,
  layout,
  manual,
  phonePage,
  welcome,
  why,
} from "./pages.mjs";
import { iconFile } from "./pictures.mjs";

const fileBeside = (name) => fileURLToPath(new URL(name, import.meta.url));
const { values } = parseArgs({
  options: {
    api: { type: "string", default: "http://localhost:4000" },
    wallet: { type: "string", default: "http://localhost:4001" },
    port: { type: "string", default: "4100" },
    keys: { type: "string", default: fileBeside(".keys.json") },
  },
});
const style = await readFile(fileBeside("shop.css"), "utf8");
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
server.once("error", ({ code, message }) => {
  const text = code === "EADDRINUSE" ? `Port ${values.port} is taken. Choose another with --port 4101.` : message;
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
await new Promise((ready) => server.listen(Number(values.port), "127.0.0.1", ready));
const ownUrl = `http://localhost:${server.address().port}`;

const keys = await openBrands({
  apiUrl: values.api,
  file: values.keys,
  settings: {
    externalName: "Juniper Goods",
    redirectUrl: `${ownUrl}/welcome`,
    styling: { primaryColor: "#9C3D1A", inputRadius: 12, buttonRadius: 12 },
  },
});
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
    const part = await route({ visit, form, query: url.searchParams });
    if (request.method !== "POST" || part.title === undefined) return part;
    // A form leads to a page with its own address, so reloading that page sends nothing twice and loses nothing.
    visit.part = part;
    return goTo("/now");
  });
  if (made.title === undefined) return { ...made, headers: { ...cookie, ...made.headers } };
  const headers = { ...cookie, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
  return { headers, body: layout(made, visit) };
}

/** Answers a visitor's requests one after another: the second of two quick clicks finds what the first one did. */
function inTurn(visit, work) {
  const answered = visit.turn.then(work);
  visit.turn = answered.catch(() => {});
  return answered;
}

const goTo = (location) => ({ status: 303, headers: { location } });

const routes = {
  "GET /": () => home(),
  "GET /now": ({ visit }) => visit.part ?? goTo("/"),
  "GET /shop.css": () => ({ headers: { "content-type": "text/css; charset=utf-8" }, body: style }),
  "GET /icon.svg": () => ({ headers: { "content-type": "image/svg+xml" }, body: iconFile }),

  // The panel's choice: how this shop integrates, for this visitor.
  "POST /way": ({ visit, form }) => {
    const way = form.get("way") ?? "";
    if (Object.hasOwn(ways, way)) Object.assign(visit, { way, calls: [], part: undefined, signup: undefined });
    return goTo("/");
  },

  // The shop's button. With the SDK, the frame asks for the phone; otherwise this page does.
  "POST /signup": ({ visit }) => {
    Object.assign(visit, { calls: [], part: undefined, signup: undefined });
    return visit.way === "sdk" ? goTo("/embedded") : phonePage({ way: visit.way, walletUrl: values.wallet });
  },

  // Hosted: start the 1-Click, text the code, redirect the person to the wallet, and read the data when they return.
  "POST /hosted": async ({ visit, form }) => {
    const typed = form.get("phone") ?? "";
    try {
      const { uuid, url, code } = await brandOf(visit, "begins a 1-Click").beginOneClick({ phone: e164(typed) });
      visit.begun.set(uuid, undefined);
      text(visit, e164(typed), `${code} is your code for Juniper Goods.`);
      return goTo(url);
    } catch (error) {
      return again(visit, typed, error);
    }
  },
  "GET /welcome": async ({ visit, query }) => {
    const uuid = query.get("identityUuid");
    // The URL proves nothing. Trust only a 1-Click that this visitor started here, and only what its read returns.
    if (!visit.begun.has(uuid)) return manual("We do not know this visit.");
    if (query.get("optedOut") === "true") return manual(why({ code: "USER_OPTED_OUT" }));
    const part = visit.begun.get(uuid) ?? (await readPage(visit, uuid));
    visit.begun.set(uuid, part);
    return part;
  },

  // SDK: create a key for this visitor's page. Afterwards the page sends the result that it got.
  "GET /embedded": async ({ visit }) => {
    if (visit.part !== undefined || visit.way !== "sdk") return goTo("/now");
    const session = await brandOf(visit, "creates a session key for the frame").createSession();
    return embeddedPage({ walletUrl: values.wallet, ...session });
  },
  "GET /embedded.js": () => ({ headers: { "content-type": "text/javascript; charset=utf-8" }, body: embeddedScript }),
  "POST /embedded/result": async ({ visit, form }) => {
    const uuid = form.get("identityUuid") ?? "";
    return uuid === "" ? manual(why({ code: form.get("type") })) : await readPage(visit, uuid);
  },

  // API: prove the phone on our own page, then ask for the data.
  "POST /api": async ({ visit, form }) => {
    const typed = form.get("phone") ?? "";
    try {
      const { uuid } = await brandOf(visit, "starts to verify the phone").createVerification(e164(typed));
      await brandOf(visit, "has the code texted").deliver(uuid);
      visit.signup = { verificationUuid: uuid };
      return codePage();
    } catch (error) {
      return again(visit, typed, error);
    }
  },
  "POST /api/code": async ({ visit, form }) => {
    const { signup } = visit;
    if (signup === undefined) return goTo("/now");
    try {
      const code = (form.get("code") ?? "").replace(/\D/g, "");
      if (!signup.isProven) await brandOf(visit, "checks the code").verify(signup.verificationUuid, code);
    } catch (error) {
      const { code, data } = refused(error);
      if (code === "ERR001") return codePage({ error: "Enter the six digits of the text." });
      if (code === "OCV001" && data.attemptsRemaining > 0)
        return codePage({ error: `That code is not right. Tries left: ${data.attemptsRemaining}` });
      return phonePage({ way: "api", walletUrl: values.wallet, error: why(refused(error)) });
    }
    signup.isProven = true;
    return await signUp(visit, {});
  },
  "POST /api/birthday": async ({ visit, form }) =>
    visit.signup?.isProven ? await signUp(visit, { birthDate: form.get("birthDate") ?? "" }) : goTo("/now"),
};

/** What a person shared, or why there is nothing. */
async function readPage(visit, uuid) {
  try {
    const entity = await brandOf(visit, "reads what the person shared").readOneClick(uuid);
    return entity.credentials === undefined ? manual(why({ code: "declined" })) : welcome(entity);
  } catch (error) {
    return manual(why(refused(error)));
  }
}

/** The phone screen again, with what the person typed. ERR001 means that the text is not a phone number. */
function again({ way }, phone, error) {
  const { code } = refused(error);
  return phonePage({ way, walletUrl: values.wallet, phone, error: why({ code: code === "ERR001" ? "OCE002" : code }) });
}

/** The client with the key of the visitor's way. `why`: what the next call does, for the panel. */
function brandOf({ way, calls }, why) {
  return countersign({ apiUrl: values.api, apiKey: keys[way], onCall: (call) => calls.push({ ...call, why }) });
}

/** A US phone as people type it, in E.164. The service refuses numbers that do not exist. */
function e164(typed) {
  return `+1${typed.replace(/\D/g, "").replace(/^1(?=\d{10}$)/, "")}`;
}

async function signUp(visit, inputs) {
  const { verificationUuid, identityUuid } = visit.signup;
  const known = identityUuid === undefined ? {} : { identityUuid };
  try {
    const asked = { verificationUuid, ...known, ...inputs };
    const { identity } = await brandOf(visit, "asks for the person’s data").beginOneClick(asked);
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

/** The brand's own SMS gateway. This one writes to the terminal, and to the panel. */
function text({ calls }, to, body) {
  process.stdout.write(`Text to ${to}: ${body}\n`);
  calls.push({ method: "TEXT", path: to, why: body });
}

function visitOf(request) {
  const id = /(?:^|;\s*)visit=([0-9a-f-]{36})/.exec(request.headers.cookie ?? "")?.[1];
  const known = id === undefined ? undefined : visits.get(id);
  if (known !== undefined) return known;
  const made = { id: randomUUID(), way: "sdk", calls: [], begun: new Map(), turn: Promise.resolve() };
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
