/** What the contract declares about whom a call is. */
import assert from "node:assert/strict";
import test from "node:test";
import type { Endpoint } from "@countersign/contract/endpoint";
import { isRecord } from "../../domain/validate.ts";
import { declaredEndpoints } from "../harness/contract-endpoints.ts";

const membersOf = (schema: unknown) => (isRecord(schema) && isRecord(schema.properties) ? schema.properties : {});
/** The schema of `body.phone`. */
function schemaOf(endpoint: Endpoint, member: string): unknown {
  const [part, name = ""] = member.split(".");
  return membersOf(part === "params" ? endpoint.params : endpoint.body)[name];
}
const declared = declaredEndpoints.filter(({ about }) => about !== undefined);

test("the member that says whom a call is about is in the operation's input, and of its kind", () => {
  assert.ok(declared.length > 20);
  for (const endpoint of declared) {
    const { about, id } = endpoint;
    const names =
      about === "person"
        ? ["body.phone", "body.verificationUuid"]
        : about === "recipient"
          ? ["body.phone", "body.email"]
          : Object.values(about ?? {});
    for (const member of names) {
      const schema = schemaOf(endpoint, member);
      assert.ok(isRecord(schema), `${id} has no ${member}`);
      assert.equal(schema.type, "string", `${id}: ${member}`);
      if (typeof about === "object" && "uuid" in about) assert.equal(schema.format, "uuid", `${id}: ${member}`);
    }
  }
});

test("every operation of brands that names a person or an object says which", () => {
  const names = ["phone", "identityUuid", "verificationUuid", "uuid", "healthDataUuid", "id", "token"];
  const forBrands = declaredEndpoints.filter(({ auth }) => auth === "brandKey");
  for (const { id, params, body, about } of forBrands) {
    const named = names.filter((name) => name in membersOf(params) || name in membersOf(body));
    assert.equal(about !== undefined, named.length > 0, `${id}: ${named.join()}`);
  }
});

test("an operation whose body has a phone and an object of a person leaves the choice to the rule for people", () => {
  for (const { id, about, body } of declaredEndpoints.filter(({ auth }) => auth === "brandKey")) {
    const members = membersOf(body);
    const hasObject = "identityUuid" in members || "verificationUuid" in members;
    assert.equal(about === "person", "phone" in members && hasObject, id);
  }
});
