/** Sends the requests of the OpenAPI documents' examples. */
import assert from "node:assert/strict";
import type { ClientResponse } from "@countersign/contract/client";
import type { Endpoint } from "@countersign/contract/endpoint";
import { declaredEndpoints } from "./contract-endpoints.ts";
import { demoKey, type Sandbox } from "./sandbox.ts";

export type Params = Record<string, string>;
type Given = {
  key?: string;
  params?: Params;
  query?: Params;
  body?: object;
  /** A body of raw bytes, which no example has. */
  bytes?: { type: string; content: Buffer };
};

export function exampleOf(id: string): Endpoint & { example: NonNullable<Endpoint["example"]> } {
  const endpoint = declaredEndpoints.find((one) => one.id === id) ?? assert.fail(id);
  const { example } = endpoint;
  return example === undefined ? assert.fail(`${id} has no example`) : { ...endpoint, example };
}

/** Sends an example's request. What the example makes up, such as an id, is replaced by what is `given`. */
export function exampleSender(it: Sandbox) {
  return async (id: string, given: Given = {}): Promise<ClientResponse> => {
    const { method, path, example, tag } = exampleOf(id);
    const params = given.params ?? example.params ?? {};
    const prefix = tag.startsWith("v1") || tag === "Sandbox control" ? "" : "/v2";
    const body = given.bytes?.content ?? given.body ?? example.body;
    const type = given.bytes === undefined ? {} : { "content-type": given.bytes.type };
    return await it.inject({
      method,
      url: prefix + path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? assert.fail(`${id} needs ${name}`)),
      query: given.query ?? example.query ?? {},
      headers: { authorization: given.key ?? demoKey, ...type },
      ...(typeof body === "object" && body !== null ? { payload: body } : {}),
    });
  };
}
