// better-auth's phone-number plugin behind node's own server, on a given database. Its rate limit is off. With the
// argument `same-work` it does what our service also does: it counts requests in the database, finds people by a keyed
// hash of the phone, encrypts the phone, and stores a keyed hash of the code.
import { createCipheriv, createHmac, createSecretKey, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { phoneNumber } from "better-auth/plugins";
import pg from "pg";

process.on("disconnect", () => process.exit());
const doesSameWork = process.argv[3] === "same-work";
const key = createSecretKey(randomBytes(32));
const keyed = (text) => createHmac("sha256", key).update(text).digest("hex");
function sealed(text) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString("base64");
}
/** The phones of requests in progress, by their keyed hashes. */
const phones = new Map();
const sameWork = {
  rateLimit: {
    enabled: true,
    storage: "database",
    window: 60,
    max: 1e9,
    customRules: { "/phone-number/*": { window: 60, max: 1e9 } },
  },
  user: { additionalFields: { sealedPhone: { type: "string", required: false, input: false } } },
  databaseHooks: {
    verification: {
      create: {
        before: async ({ value, ...row }) => {
          const [code, tries] = value.split(":");
          return { data: { ...row, value: `${keyed(code)}:${tries}` } };
        },
      },
    },
    user: {
      create: {
        before: async (user) => ({ data: { ...user, sealedPhone: sealed(phones.get(user.phoneNumber) ?? "") } }),
      },
    },
  },
};
const options = {
  baseURL: "http://127.0.0.1",
  secret: "a secret for a measurement and for nothing else",
  database: new pg.Pool({ connectionString: process.argv[2], max: 16, idleTimeoutMillis: 0 }),
  rateLimit: { enabled: false },
  logger: { level: "error" },
  telemetry: { enabled: false },
  ...(doesSameWork ? sameWork : {}),
  plugins: [
    phoneNumber({
      // Return the code in a header, so that the load process gets it at once.
      sendOTP: async ({ code }, context) => context.setHeader("x-code", code),
      signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@example.com`, getTempName: (phone) => phone },
    }),
  ],
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const auth = betterAuth(options);

/** Replaces the phone and the code of a request by their keyed hashes. */
async function handleSameWork(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { phoneNumber, code, ...rest } = JSON.parse(Buffer.concat(chunks).toString());
  const hash = keyed(phoneNumber);
  phones.set(hash, phoneNumber);
  const body = JSON.stringify({ ...rest, phoneNumber: hash, ...(code === undefined ? {} : { code: keyed(code) }) });
  const headers = { "content-type": "application/json", "x-forwarded-for": "127.0.0.1" };
  const answer = await auth.handler(new Request(`http://127.0.0.1${request.url}`, { method: "POST", headers, body }));
  phones.delete(hash);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}
const server = createServer(doesSameWork ? handleSameWork : toNodeHandler(auth));
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
