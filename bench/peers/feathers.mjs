// FeathersJS on koa with its knex adapter: a key, a schema, one insert of one row, on a given database. With the argument
// `same-work` the phone is encrypted and found by a keyed hash, and each request is logged in a table.
import { createCipheriv, createHash, createHmac, createSecretKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { NotAuthenticated } from "@feathersjs/errors";
import { feathers } from "@feathersjs/feathers";
import { KnexService } from "@feathersjs/knex";
import { bodyParser, errorHandler, koa, rest } from "@feathersjs/koa";
import { Ajv, getValidator, hooks } from "@feathersjs/schema";
import knex from "knex";

process.on("disconnect", () => process.exit());
const doesSameWork = process.argv[3] === "same-work";
const Model = knex({ client: "pg", connection: process.argv[2], pool: { min: 16, max: 16 } });
await Model.schema.createTable("verification", (table) => {
  table.uuid("id").primary().defaultTo(Model.fn.uuid());
  table.string("channel").notNullable();
  table.string("phone").notNullable().index();
  table.string("status").notNullable().defaultTo("pending");
  table.timestamp("createdAt").defaultTo(Model.fn.now());
});
await Model.schema.alterTable("verification", (table) => void table.binary("sealed"));
await Model.schema.createTable("request_log", (table) => {
  table.bigIncrements("id");
  table.timestamp("at").defaultTo(Model.fn.now());
  table.string("brand").notNullable();
  table.string("route").notNullable();
  table.integer("status").notNullable();
  table.uuid("subject").notNullable();
  table.index(["brand", "at"]);
});
const secret = createSecretKey(randomBytes(32));
function sealed(text) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", secret, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}
const seal = async ({ data }) => {
  data.sealed = sealed(JSON.stringify({ phone: data.phone }));
  data.phone = createHmac("sha256", secret).update(data.phone).digest("hex");
};
const logRequest = async ({ result }) =>
  await Model("request_log").insert({
    brand: "a brand",
    route: "POST /verifications",
    status: 201,
    subject: result.id,
  });
const schema = {
  $id: "Verification",
  type: "object",
  additionalProperties: false,
  required: ["channel", "phone"],
  properties: {
    channel: { type: "string", enum: ["sms"] },
    phone: { type: "string", pattern: "^\\+1[0-9]{10}$" },
  },
};
/** Hashes of the known keys, in memory. Feathers' own authentication queries the database for each request. */
const keys = new Set([createHash("sha256").update("a key").digest("hex")]);
const authenticate = async (context, next) => {
  const key = context.params.headers?.authorization ?? "";
  if (!keys.has(createHash("sha256").update(key).digest("hex"))) throw new NotAuthenticated();
  await next();
};
const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser());
app.configure(rest());
app.use("verifications", new KnexService({ Model, name: "verification" }), { methods: ["create"] });
app.service("verifications").hooks({
  around: { create: [authenticate] },
  before: { create: [hooks.validateData(getValidator(schema, new Ajv())), ...(doesSameWork ? [seal] : [])] },
  after: { create: doesSameWork ? [logRequest] : [] },
});
const server = await app.listen(0, "127.0.0.1");
if (!server.listening) await once(server, "listening");
process.send(`http://127.0.0.1:${server.address().port}`);
