import assert from "node:assert/strict";
import { test } from "node:test";
import { nonceLifeMs } from "../../domain/takeout/nonce.ts";
import { offerLifeMs, tokenLifeMs } from "../../domain/takeout/offer.ts";
import { holder, offerTo, walletOverHttp } from "../harness/holder.ts";
import { refusal, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();
await walletOverHttp(it);
const issuer = `${it.deps.addresses.walletUrl}/credentials`;
const wallet = holder();

type Answer = { status: number; body: { error?: string; credentials?: unknown[] } };

async function post(
  path: string,
  what: { form?: Record<string, string>; json?: object; token?: string },
): Promise<Answer> {
  const { form, json, token } = what;
  const response = await fetch(`${issuer}/${path}`, {
    method: "POST",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      "content-type": form === undefined ? "application/json" : "application/x-www-form-urlencoded",
    },
    body: form === undefined ? JSON.stringify(json) : new URLSearchParams(form).toString(),
  });
  return { status: response.status, body: await response.json() };
}

const grant = "urn:ietf:params:oauth:grant-type:pre-authorized_code";
const codeOf = (offer: string): string => {
  const given = JSON.parse(new URL(offer).searchParams.get("credential_offer") ?? "");
  return given.grants[grant]["pre-authorized_code"];
};
const redeem = (code: string, tx_code: string) =>
  post("token", { form: { grant_type: grant, "pre-authorized_code": code, tx_code } });
const wrongOf = (code: string) => code.replace(/./g, (digit) => String((Number(digit) + 1) % 10));

/** An exchanged offer, and a key of the wallet. */
async function begun(kind: "phone" | "address" = "phone") {
  const { offer, transactionCode } = await offerTo(it, kind);
  const started = await wallet.begin(offer, transactionCode);
  const key = await wallet.newKey();
  return { started, key };
}
const request = (token: string, jwt: string[], kind = "phone") =>
  post("credential", { token, json: { credential_configuration_id: kind, proofs: { jwt } } });

test("a wrong transaction code gets invalid_grant, and the third one ends the offer for the right code too", async () => {
  const { offer, transactionCode } = await offerTo(it, "phone");
  const code = codeOf(offer);
  for (let tries = 0; tries < 3; tries += 1) {
    const { status, body } = await redeem(code, wrongOf(transactionCode));
    assert.deepEqual([status, body.error], [400, "invalid_grant"]);
  }
  assert.equal((await redeem(code, transactionCode)).body.error, "invalid_grant");
});

test("only three of fifty parallel wrong transaction codes are compared", async () => {
  const { offer, transactionCode } = await offerTo(it, "phone");
  const code = codeOf(offer);
  await Promise.all(Array.from({ length: 50 }, () => redeem(code, wrongOf(transactionCode))));
  const rows = await it.store.db.selectFrom("takeout").select("attempts_used").orderBy("created_at", "desc").execute();
  assert.equal(Math.max(...rows.map((row) => row.attempts_used)), 3);
  assert.equal((await redeem(code, transactionCode)).body.error, "invalid_grant");
});

test("a request without the transaction code is refused and uses no attempt", async () => {
  const { offer, transactionCode } = await offerTo(it, "phone");
  const without = { grant_type: grant, "pre-authorized_code": codeOf(offer) };
  for (let tries = 0; tries < 4; tries += 1)
    assert.equal((await post("token", { form: without })).body.error, "invalid_request");
  assert.equal((await redeem(codeOf(offer), transactionCode)).status, 200);
});

test("a code works once, even for three parallel requests", async () => {
  const { offer, transactionCode } = await offerTo(it, "phone");
  const code = codeOf(offer);
  const answers = [];
  // Three attempts are counted at most, so send three at once.
  answers.push(...(await Promise.all([1, 2, 3].map(() => redeem(code, transactionCode)))));
  answers.push(await redeem(code, transactionCode));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400]);
});

test("an unknown code, another grant type, and a code from elsewhere are refused", async () => {
  assert.equal((await redeem("A".repeat(43), "123456")).body.error, "invalid_grant");
  const other = { grant_type: "refresh_token", refresh_token: "x" };
  assert.equal((await post("token", { form: other })).body.error, "unsupported_grant_type");
});

test("an offer ends after ten minutes, a token after five, and a nonce after five", async () => {
  const late = await offerTo(it, "phone");
  await it.advance(offerLifeMs);
  assert.equal((await redeem(codeOf(late.offer), late.transactionCode)).body.error, "invalid_grant");
  const { started, key } = await begun();
  const jwt = await wallet.proofOf(started, key, await wallet.nonceOf(started));
  await it.advance(tokenLifeMs);
  assert.deepEqual((await request(started.accessToken, [jwt])).status, 401);
  const next = await begun();
  const oldNonce = await wallet.nonceOf(next.started);
  await it.advance(nonceLifeMs - 1);
  const third = await begun();
  await it.advance(1);
  const oldProof = await wallet.proofOf(third.started, third.key, oldNonce);
  assert.equal((await request(third.started.accessToken, [oldProof])).body.error, "invalid_nonce");
});

test("a token gets copies once, and a nonce works once", async () => {
  const { started, key } = await begun();
  const nonce = await wallet.nonceOf(started);
  const jwt = await wallet.proofOf(started, key, nonce);
  assert.equal((await request(started.accessToken, [jwt])).status, 200);
  assert.deepEqual((await request(started.accessToken, [jwt])).body.error, "invalid_token");
  const other = await begun();
  const replayed = await request(other.started.accessToken, [jwt]);
  assert.equal(replayed.body.error, "invalid_nonce", "a proof of another request is not replayed");
});

test("only one of two parallel requests with one token gets copies", async () => {
  const { started, key } = await begun();
  const proofs = [];
  for (const _ of [1, 2]) proofs.push(await wallet.proofOf(started, key, await wallet.nonceOf(started)));
  const answers = await Promise.all(proofs.map((jwt) => request(started.accessToken, [jwt])));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401]);
});

test("a proof for another issuer, without a nonce, with a made-up nonce, or signed by another key is refused", async () => {
  const { started, key } = await begun();
  const nonce = await wallet.nonceOf(started);
  const elsewhere = {
    ...started,
    issuerMetadata: {
      ...started.issuerMetadata,
      credentialIssuer: { ...started.issuerMetadata.credentialIssuer, credential_issuer: "https://other.example" },
    },
  };
  const wrongIssuer = await wallet.proofOf(elsewhere, key, nonce);
  const right = await wallet.proofOf(started, key, nonce);
  const [header = "", payload = "", signature = ""] = right.split(".");
  const other = await wallet.newKey();
  const forged = `${header}.${payload}.${await other.sign(`${header}.${payload}`)}`;
  const unsigned = `${Buffer.from(JSON.stringify({ alg: "none", typ: "openid4vci-proof+jwt" })).toString("base64url")}.${payload}.`;
  const several = JSON.stringify({
    ...JSON.parse(Buffer.from(payload, "base64url").toString()),
    aud: [issuer, "https://other.example"],
  });
  const shared = `${header}.${Buffer.from(several).toString("base64url")}`;
  const forTwo = `${shared}.${await key.sign(shared)}`;
  const withoutNonce = await wallet.proofOf(started, key, "");
  const extended = { ...JSON.parse(Buffer.from(header, "base64url").toString()), crit: ["x"], x: 1 };
  const critical = `${Buffer.from(JSON.stringify(extended)).toString("base64url")}.${payload}`;
  for (const jwt of [
    wrongIssuer,
    forTwo,
    forged,
    unsigned,
    withoutNonce,
    `${critical}.${await key.sign(critical)}`,
    `${header}.${payload}`,
    "x",
    `${right}x${signature}`,
  ]) {
    const { status, body } = await request(started.accessToken, [jwt]);
    assert.equal(status, 400, jwt);
    assert.match(String(body.error), /^invalid_(proof|nonce|credential_request)$/);
  }
  const madeUp = await wallet.proofOf(
    started,
    key,
    `${(it.deps.clock.now() + 1_000).toString(36)}.${"a".repeat(22)}.${"b".repeat(43)}`,
  );
  assert.equal((await request(started.accessToken, [madeUp])).body.error, "invalid_nonce");
  assert.equal((await request(started.accessToken, [right])).status, 200, "none of them used the token or the nonce");
});

test("one key for two copies, no proof, eleven proofs, and another credential are refused", async () => {
  const { started, key } = await begun();
  const nonce = await wallet.nonceOf(started);
  const jwt = await wallet.proofOf(started, key, nonce);
  assert.equal((await request(started.accessToken, [jwt, jwt])).body.error, "invalid_proof");
  assert.ok((await request(started.accessToken, [])).status === 400);
  assert.equal(
    (
      await request(
        started.accessToken,
        Array.from({ length: 11 }, () => jwt),
      )
    ).body.error,
    "invalid_proof",
  );
  const another = await request(started.accessToken, [jwt], "address");
  assert.equal(another.body.error, "unknown_credential_configuration");
  assert.equal((await request("", [jwt])).status, 401);
});

test("five offers may wait for a wallet, and the sixth is refused", async () => {
  const { page } = await offerTo(it, "phone");
  for (let more = 0; more < 4; more += 1) await page.takeOut({ body: { own: "phone" } });
  assert.equal((await refusal(page.takeOut({ body: { own: "phone" } }))).status, 429);
});
