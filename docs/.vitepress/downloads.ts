import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import apiReference from "@scalar/fastify-api-reference";
import fastify from "fastify";

const { convertV2 } = createRequire(import.meta.url)("openapi-to-postmanv2");
const convert: (input: object, options: object) => Promise<Converted> = promisify(convertV2);
type Converted = { result: boolean; reason?: string; output?: { data: object }[] };

/**
 * The script of the API reference, and the file that contains it. Its plugin is the smallest package that has the
 * script.
 */
export async function scalarScript(): Promise<{ script: string; file: string }> {
  const app = fastify();
  await app.register(apiReference, { configuration: { content: { openapi: "3.1.0" } } });
  const { statusCode, body } = await app.inject("/reference/js/scalar.js");
  if (statusCode !== 200) throw new Error(`the plugin of the API reference has no script: ${statusCode}`);
  return { script: body, file: fileURLToPath(import.meta.resolve("@scalar/fastify-api-reference")) };
}

/** A Postman collection of an OpenAPI document, with the document's own examples. */
export async function postmanCollection(document: object): Promise<object> {
  const { result, reason, output } = await convert(
    { type: "json", data: document },
    { folderStrategy: "Tags", requestParametersResolution: "Example", exampleParametersResolution: "Example" },
  );
  const [first] = output ?? [];
  if (!result || first === undefined) throw new Error(`no Postman collection: ${reason}`);
  return first.data;
}
