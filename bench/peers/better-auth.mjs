// better-auth's phone-number plugin behind node's own server, on a given database. Its rate limit is off.
import { createServer } from "node:http";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { phoneNumber } from "better-auth/plugins";
import pg from "pg";

process.on("disconnect", () => process.exit());
const options = {
  baseURL: "http://127.0.0.1",
  secret: "a secret for a measurement and for nothing else",
  database: new pg.Pool({ connectionString: process.argv[2], max: 16, idleTimeoutMillis: 0 }),
  rateLimit: { enabled: false },
  logger: { level: "error" },
  telemetry: { enabled: false },
  plugins: [
    phoneNumber({
      // Return the code in a header, so that the load process has it at once.
      sendOTP: async ({ code }, context) => context.setHeader("x-code", code),
      signUpOnVerification: { getTempEmail: (phone) => `${phone.slice(1)}@example.com`, getTempName: (phone) => phone },
    }),
  ],
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const server = createServer(toNodeHandler(betterAuth(options)));
server.listen(0, "127.0.0.1", () => process.send(`http://127.0.0.1:${server.address().port}`));
