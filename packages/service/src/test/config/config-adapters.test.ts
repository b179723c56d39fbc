import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { readAdapters } from "../../config/adapters.ts";
import { keyFrom, makeRoot } from "../../providers/sandbox/state-id/authority.ts";

const hex = "0123456789abcdef".repeat(2);
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const all = {
  TWILIO_ACCOUNT_SID: `AC${hex}`,
  TWILIO_AUTH_TOKEN: "token",
  TWILIO_FROM: "+16502530000",
  SMS_REPORT_URL: "https://api.example.com/callbacks/twilio",
  CAMARA_CLIENT_ID: "countersign",
  CAMARA_AUTHORIZE_URL: "https://operator.example/authorize",
  CAMARA_TOKEN_URL: "https://operator.example/token",
  CAMARA_API_URL: "https://operator.example/number-verification/v2",
  CAMARA_ISSUER: "https://operator.example",
  CAMARA_REDIRECT_URL: "https://api.example.com/carrier/return",
  CAMARA_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  CAMARA_KEY_ID: "k1",
  STEDI_API_KEY: "key",
  IDENTITY_SOURCE_URL: "https://identity.example/ask",
  IDENTITY_SOURCE_SECRET: hex,
  IDENTITY_SOURCE_ISSUER: "3f0b2a52-3c6b-4c8e-9a53-0f6f1f0a7c11",
  RISK_SOURCE_URL: "https://risk.example/ask",
  RISK_SOURCE_SECRET: hex.replaceAll("a", "b"),
  OPENID_ISSUER: "https://id.example",
  OPENID_CLIENT_ID: "dashboard",
  OPENID_CLIENT_SECRET: "secret",
  OPENID_ALLOWED: "example.com, ada@elsewhere.example",
  SMTP_URL: "smtp://mail.example",
  SMTP_USER: "ada",
  SMTP_PASSWORD: "password",
  SMTP_FROM: "Countersign <id@example.com>",
};
const problemsOf = (source: Record<string, string | undefined>) => {
  const problems: string[] = [];
  readAdapters(source, problems);
  return problems;
};

test("without variables, no vendor is configured and no problem is reported", () => {
  const problems: string[] = [];
  const { phoneRegions, ...vendors } = readAdapters({}, problems);
  assert.deepEqual([problems, phoneRegions], [[], ["US"]]);
  for (const [name, settings] of Object.entries(vendors)) assert.equal(settings, null, name);
});

test("every vendor can be configured at once", () => {
  const problems: string[] = [];
  const settings = readAdapters(all, problems);
  assert.deepEqual(problems, []);
  assert.equal(settings.twilio?.apiUrl, "https://api.twilio.com");
  assert.equal(settings.camara?.proof.kind, "key");
  assert.deepEqual([settings.smtp?.port, settings.smtp?.tls], [587, "upgrade"]);
  assert.equal(settings.stedi?.mode, "production");
});

for (const name of Object.keys(all).filter((one) => one !== "SMS_REPORT_URL" && one !== "SMTP_USER")) {
  test(`a vendor configured without ${name} is refused with an error that names it`, () => {
    const { [name]: _gone, ...rest } = all as Record<string, string>;
    const problems = problemsOf(rest);
    // A vendor with a single variable is off without it.
    if (["STEDI_API_KEY"].includes(name)) return assert.deepEqual(problems, []);
    const expected = name === "CAMARA_PRIVATE_KEY" ? "CAMARA_CLIENT_SECRET" : name;
    assert.ok(problems.length > 0 && problems.every((one) => one.includes(expected)), problems.join("\n"));
  });
}

test("a reader certificate and its key are read together, and must belong together", async () => {
  const key = keyFrom(Buffer.alloc(32, 7));
  const pemOf = (one: KeyObject) => one.export({ type: "pkcs8", format: "pem" }).toString();
  const root = Buffer.from(await makeRoot("CA", "California", key)).toString("base64");
  const certificate = `-----BEGIN CERTIFICATE-----\n${root}\n-----END CERTIFICATE-----\n`;
  const given = { STATE_ID_READER_CERTIFICATE: certificate, STATE_ID_READER_KEY: pemOf(key.privateKey) };
  const problems: string[] = [];
  const { stateIdReader } = readAdapters(given, problems);
  assert.deepEqual(problems, []);
  assert.equal(stateIdReader?.chain.length, 1);
  const named = (changed: Record<string, string | undefined>) =>
    problemsOf({ ...given, ...changed }).map((one) => one.slice(0, one.indexOf(":")));
  assert.deepEqual(named({ STATE_ID_READER_KEY: undefined }), ["STATE_ID_READER_KEY"]);
  assert.deepEqual(named({ STATE_ID_READER_KEY: pemOf(privateKey) }), ["STATE_ID_READER_KEY"]);
  assert.deepEqual(named({ STATE_ID_READER_KEY: "no key" }), ["STATE_ID_READER_KEY"]);
  assert.deepEqual(named({ STATE_ID_READER_CERTIFICATE: "no certificate" }), ["STATE_ID_READER_CERTIFICATE"]);
  assert.deepEqual(named({ STATE_ID_READER_CERTIFICATE: undefined }), ["STATE_ID_READER_KEY"]);
});

test("two vendors cannot have the same secret, because one could sign for the other", () => {
  const problems = problemsOf({ ...all, RISK_SOURCE_SECRET: hex });
  assert.deepEqual(problems, [
    "RISK_SOURCE_SECRET: must differ from the other secrets, because each vendor could sign for another",
  ]);
});

test("all problems are reported at once, without any secret", () => {
  const problems = problemsOf({
    ...all,
    PHONE_REGIONS: "US, JM",
    TWILIO_ACCOUNT_SID: "nonsense",
    SMS_GATEWAY_URL: "http://gateway.example",
    SMS_GATEWAY_SECRET: "short-secret",
    SMS_GATEWAY_FROM: "Us",
    CAMARA_TOKEN_URL: "http://operator.example/token",
    CAMARA_PRIVATE_KEY: "no-key-at-all",
    STEDI_MODE: "maybe",
    STEDI_NPI: "12",
    STEDI_PROVIDER_NAME: "Clinic",
    IDENTITY_SOURCE_ISSUER: "me",
    SMTP_URL: "smtp://ada:secret@mail.example",
  });
  const names = [
    "PHONE_REGIONS",
    "TWILIO_ACCOUNT_SID",
    "SMS_GATEWAY_URL",
    "SMS_GATEWAY_SECRET",
    "CAMARA_TOKEN_URL",
    "CAMARA_PRIVATE_KEY",
    "STEDI_MODE",
    "STEDI_NPI",
    "IDENTITY_SOURCE_ISSUER",
    "SMTP_URL",
  ];
  for (const name of names)
    assert.ok(
      problems.some((one) => one.includes(name)),
      name,
    );
  assert.doesNotMatch(problems.join("\n"), /short-secret|no-key-at-all|:secret@/);
});

test("a signing key must be P-256 or 3072-bit RSA; shorter RSA and other curves are refused", () => {
  const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
  const keys: [KeyObject, boolean][] = [
    [generateKeyPairSync("rsa", { modulusLength: 3_072 }).privateKey, true],
    [generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey, false],
    [generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey, false],
    [generateKeyPairSync("ed25519").privateKey, false],
  ];
  for (const [key, isAccepted] of keys) {
    const problems = problemsOf({ ...all, CAMARA_PRIVATE_KEY: pem(key) });
    assert.equal(problems.length === 0, isAccepted, problems.join());
  }
});

test("a secret can be read from a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "countersign-"));
  const path = join(folder, "key");
  await writeFile(path, "from-a-file\n");
  const problems: string[] = [];
  assert.equal(readAdapters({ STEDI_API_KEY_FILE: path }, problems).stedi?.apiKey, "from-a-file");
  assert.deepEqual(problems, []);
  await rm(folder, { recursive: true });
});
