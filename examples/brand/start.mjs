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
import { birthdayPage, codePage, embeddedPage, embeddedScript, home, manual, style, welcome } from "./pages.mjs";

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
  const made = await route({ visit, form, query: url.searchParams });
  const cookie = { "set-cookie": `visit=${visit.id}; HttpOnly; SameSite=Lax; Path=/` };
  return typeof made === "string"
    ? { headers: { ...cookie, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }, body: made }
    : { ...made, headers: { ...cookie, ...made.headers } };
}

const routes = {
  "GET /": () => home({ walletUrl: values.wallet }),
  "GET /style.css": () => ({ headers: { "content-type": "text/css; charset=utf-8" }, body: style }),

  // Hosted: start the 1-Click, text the code, redirect the person to the wallet, and read the data when they return.
  "POST /hosted": async ({ visit, form }) => {
    try {
      const { uuid, url, code } = await hosted.beginOneClick({ phone: form.get("phone") ?? "" });
      visit.uuid = uuid;
      text(form.get("phone"), `${code} is your code for Example Brand.`);
      return { status: 303, headers: { location: url } };
    } catch (error) {
      return home({ walletUrl: values.wallet, error: refused(error).message });
    }
  },
  "GET /welcome": async ({ visit, query }) => {
    const uuid = query.get("identityUuid");
    // The URL proves nothing. Trust only the 1-Click that this visitor started here, and only what its read returns.
    if (uuid === null || uuid !== visit.uuid) return manual("We do not know this visit.");
    if (query.get("optedOut") === "true") return manual("You chose to type it yourself.");
    try {
      return welcome(await hosted.readOneClick(uuid));
    } catch (error) {
      return manual(refused(error).message);
    }
  },

  // SDK: create a key for this visitor's page. Afterwards the page sends the uuid that it got.
  "GET /embedded": async () => embeddedPage({ walletUrl: values.wallet, ...(await sdk.createSession()) }),
  "GET /embedded.js": () => ({ headers: { "content-type": "text/javascript; charset=utf-8" }, body: embeddedScript }),
  "POST /embedded": async ({ form }) => {
    const uuid = form.get("identityUuid") ?? "";
    if (uuid === "") return manual("You chose to type it yourself.");
    try {
      return welcome(await sdk.readOneClick(uuid));
    } catch (error) {
      return manual(refused(error).message);
    }
  },

  // API: prove the phone on our own page, then ask for the data.
  "POST /api": async ({ visit, form }) => {
    try {
      const { uuid } = await api.createVerification(form.get("phone") ?? "");
      await api.deliver(uuid);
      visit.verificationUuid = uuid;
      return codePage();
    } catch (error) {
      return home({ walletUrl: values.wallet, error: refused(error).message });
    }
  },
  "POST /api/code": async ({ visit, form }) => {
    try {
      await api.verify(visit.verificationUuid ?? "", (form.get("code") ?? "").replace(/\D/g, ""));
    } catch (error) {
      const { code, data, message } = refused(error);
      if (code === "OCV001" && data.attemptsRemaining > 0)
        return codePage({ error: `That code is not right. Tries left: ${data.attemptsRemaining}` });
      return home({ walletUrl: values.wallet, error: message });
    }
    return await signUp(visit, {});
  },
  "POST /api/birthday": async ({ visit, form }) => await signUp(visit, { birthDate: form.get("birthDate") ?? "" }),
};

async function signUp(visit, inputs) {
  const body = { verificationUuid: visit.verificationUuid, ...inputs };
  try {
    const known = visit.identityUuid === undefined ? {} : { identityUuid: visit.identityUuid };
    return welcome((await api.beginOneClick({ ...body, ...known })).identity);
  } catch (error) {
    const { code, data, message } = refused(error);
    if (code === "OCE012") return birthdayPage({ error: "That does not match. Check it and try again." });
    if (code !== "OCE011" || !data.additionalInputs.includes("birthDate")) return manual(message);
    visit.identityUuid = data.identityUuid;
    return birthdayPage();
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
  const made = { id: randomUUID() };
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
