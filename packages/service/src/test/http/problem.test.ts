import assert from "node:assert/strict";
import test from "node:test";
import { assertEnvelope, demoKey, sandbox } from "../harness/sandbox.ts";

const it = await sandbox();

async function refused(accept?: string) {
  return await it.inject({
    method: "POST",
    url: "/v2/1-click",
    headers: {
      authorization: demoKey,
      "content-type": "application/json",
      ...(accept === undefined ? {} : { accept }),
    },
    payload: JSON.stringify({ phone: "+12125550020" }),
  });
}

test("a request that accepts application/problem+json gets the error in RFC 9457 format", async () => {
  const { status, headers, body } = await refused("application/problem+json");
  assert.deepEqual([status, headers["content-type"]], [400, "application/problem+json"]);
  const text: unknown = typeof body === "string" ? JSON.parse(body) : body;
  assert.ok(typeof text === "object" && text !== null);
  const { type, title, status: problemStatus, detail, instance, ...rest } = text as Record<string, unknown>;
  assertEnvelope(400, rest);
  assert.deepEqual(
    [type, title, problemStatus, detail, instance],
    ["urn:countersign:error:OCE011", "BadRequest", 400, rest.message, `urn:uuid:${rest.data.requestId}`],
  );
});

test("any other request gets the standard error envelope", async () => {
  for (const accept of [undefined, "*/*", "application/json", "application/json, application/problem+json"]) {
    const { headers, body } = await refused(accept);
    assert.match(headers["content-type"] ?? "", /^application\/json/);
    assertEnvelope(400, body);
  }
});
