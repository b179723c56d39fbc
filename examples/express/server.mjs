import express from "express";
import { isGenuine, Refused, signUp, textCode } from "./countersign.mjs";
import { codePage, ownPage, phonePage, welcomePage } from "./pages.mjs";

const app = express();
const form = express.urlencoded({ extended: false });

app.get("/", (_request, response) => response.send(phonePage()));

app.post("/start", form, async (request, response) => {
  try {
    const verificationUuid = await textCode(request.body.phone);
    response.cookie("verification", verificationUuid, { httpOnly: true, sameSite: "lax" }).send(codePage());
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    response.send(ownPage());
  }
});

app.post("/finish", form, async (request, response) => {
  const [, verificationUuid = ""] = /(?:^|; )verification=([^;]+)/.exec(request.headers.cookie ?? "") ?? [];
  try {
    const { fullName } = await signUp(verificationUuid, request.body.code);
    response.send(welcomePage(fullName));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const mayTryAgain = error.errorCode === "OCV001" && error.data.attemptsRemaining > 0;
    response.send(mayTryAgain ? codePage("That code is not right. Try again.") : ownPage());
  }
});

// The signature covers the bytes that arrived, so read the body raw and parse it after the check.
app.post("/webhooks", express.raw({ type: "application/json" }), (request, response) => {
  const rawBody = request.body.toString();
  if (!isGenuine(rawBody, request.get("X-Webhook-Timestamp"), request.get("X-Webhook-Signature")))
    return response.sendStatus(400);
  const { event, healthDataUuid } = JSON.parse(rawBody);
  console.log(event, healthDataUuid);
  response.sendStatus(204);
});

const port = process.env.PORT ?? "4200";
app.listen(port, "127.0.0.1", () => console.log(`Listening on http://localhost:${port}`));
