// FeathersJS on koa with its knex adapter: a key, a schema, one insert of one row, on a given database.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { NotAuthenticated } from "@feathersjs/errors";
import { feathers } from "@feathersjs/feathers";
import { KnexService } from "@feathersjs/knex";
import { bodyParser, errorHandler, koa, rest } from "@feathersjs/koa";
import { Ajv, getValidator, hooks } from "@feathersjs/schema";
import knex from "knex";

process.on("disconnect", () => process.exit());
const Model = knex({ client: "pg", connection: process.argv[2], pool: { min: 16, max: 16 } });
await Model.schema.createTable("verification", (table) => {
  table.uuid("id").primary().defaultTo(Model.fn.uuid());
  table.string("channel").notNullable();
  table.string("phone").notNullable().index();
  table.string("status").notNullable().defaultTo("pending");
  table.timestamp("createdAt").defaultTo(Model.fn.now());
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
  before: { create: [hooks.validateData(getValidator(schema, new Ajv()))] },
});
const server = await app.listen(0, "127.0.0.1");
if (!server.listening) await once(server, "listening");
process.send(`http://127.0.0.1:${server.address().port}`);
