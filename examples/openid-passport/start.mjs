/** Sign in with Countersign by Passport and the strategy of openid-client. While `npm start` runs: `npm ci && node start.mjs`. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import express from "express";
import session from "express-session";
import { allowInsecureRequests, discovery, fetchUserInfo } from "openid-client";
import { Strategy } from "openid-client/passport";
import passport from "passport";
import { clientOf, options } from "../openid-brand.mjs";

const { issuer, port } = options;
const app = express();
const server = createServer(app);
await new Promise((ready) => server.listen(Number(port), "127.0.0.1", ready));
const ownUrl = `http://localhost:${server.address().port}`;
const callbackURL = `${ownUrl}/callback`;

const { clientId, clientSecret } = await clientOf(callbackURL);
// Only for a sandbox without TLS.
const insecure = new URL(issuer).protocol === "http:" ? { execute: [allowInsecureRequests] } : {};
const config = await discovery(new URL(issuer), clientId, clientSecret, undefined, insecure);

const verify = (tokens, done) => {
  fetchUserInfo(config, tokens.access_token, tokens.claims().sub).then((claims) => done(null, claims), done);
};
passport.use("countersign", new Strategy({ config, callbackURL, scope: "openid profile phone" }, verify));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

app.use(session({ secret: randomBytes(32).toString("hex"), resave: false, saveUninitialized: false }));
app.use(passport.initialize(), passport.session());
app.get("/login", passport.authenticate("countersign"));
app.get("/callback", passport.authenticate("countersign", { successRedirect: "/", failureRedirect: "/failed" }));
app.get("/", ({ user }, response) => {
  const body =
    user === undefined
      ? '<h1>Example</h1><a href="/login">Sign in</a>'
      : `<h1>Welcome</h1><pre>${JSON.stringify(user, null, 2)}</pre>`;
  response.send(`<title>Example</title>${body}`);
});
process.stdout.write(`Example: ${ownUrl}\n`);
