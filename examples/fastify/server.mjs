import cookies from "@fastify/cookie";
import forms from "@fastify/formbody";
import fastify from "fastify";
import { isGenuine, Refused, signUp, textCode } from "./countersign.mjs";
import { codePage, ownPage, phonePage, welcomePage } from "./pages.mjs";

const app = fastify();
await app.register(cookies);
await app.register(forms);
// The signature of a webhook covers the bytes that arrived, so keep the body as text and parse it after the check.
app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
app.addHook("onRequest", async (_request, reply) => {
  reply.type("text/html; charset=utf-8");
});

app.get("/", async () => phonePage());

app.post("/start", async (request, reply) => {
  try {
    const verificationUuid = await textCode(request.body.phone);
    reply.setCookie("verification", verificationUuid, { httpOnly: true, sameSite: "lax", path: "/" });
    return codePage();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return ownPage();
  }
});

app.post("/finish", async (request) => {
  try {
    const { fullName } = await signUp(request.cookies.verification ?? "", request.body.code);
    return welcomePage(fullName);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const mayTryAgain = error.errorCode === "OCV001" && error.data.attemptsRemaining > 0;
    return mayTryAgain ? codePage("That code is not right. Try again.") : ownPage();
  }
});

app.post("/webhooks", async (request, reply) => {
  const { "x-webhook-timestamp": timestamp, "x-webhook-signature": signature } = request.headers;
  if (!isGenuine(request.body, timestamp, signature)) return reply.code(400).send("");
  const { event, healthDataUuid } = JSON.parse(request.body);
  console.log(event, healthDataUuid);
  return reply.code(204).send();
});

const port = Number(process.env.PORT ?? "4200");
await app.listen({ host: "127.0.0.1", port });
console.log(`Listening on http://localhost:${port}`);
