/** API v1 in a simulation: with the brand's own texts and a redirect, with the service's page, and trusted. */
import assert from "node:assert/strict";
import { client } from "@countersign/contract/client";
import { createTrusted, createV1OneClick, readV1OneClick } from "@countersign/contract/v1";
import { begun, released } from "./beginnings.ts";
import { type Action, byKind, newest, nowOf, personOf, type Simulation, told, wrongOf } from "./context.ts";
import * as model from "./model.ts";

export const legacy: Record<string, Action> = {
  async beginV1(simulation, step) {
    const person = personOf(simulation, step);
    const asked = { phone: person.phone, isHosted: false, birthDate: "1970-08-01" };
    const { body } = await v1Api(simulation, "v1").createV1OneClick({ body: asked });
    const { uuid, url, smsBody } = body;
    assert.ok(body.match && uuid !== undefined && url !== undefined && smsBody !== undefined);
    const right = (/\d{3}-\d{3}/.exec(smsBody)?.[0] ?? "").replace("-", "");
    const code = model.newCode(person, right, nowOf(simulation));
    begun(simulation, { uuid, kind: "v1", person, code, page: new URL(url).pathname });
  },
  /** The service texts the code, and the person uses its page. */
  async beginV1Hosted(simulation, step) {
    const person = personOf(simulation, step);
    const body = { phone: person.phone, isHosted: true };
    const { body: made, code: refused } = await told(v1Api(simulation, "v1Hosted").createV1OneClick({ body }));
    if (person.stopped) return assert.equal(refused, "OCV011");
    assert.ok(made?.uuid !== undefined && made.url !== undefined, String(refused));
    const code = model.newCode(person, simulation.newestCode(), nowOf(simulation));
    assert.equal(model.deliver(code, nowOf(simulation)), null);
    const page = new URL(made.url).pathname.slice("/request/".length);
    begun(simulation, { uuid: made.uuid, kind: "v1Hosted", person, code, page });
  },
  /** The brand proved the phone itself, so the data comes at once. A birth date helps to find the person. */
  async trust(simulation, step) {
    const person = personOf(simulation, step);
    const body = { phone: person.phone, birthDate: "1970-08-01" };
    const { uuid } = (await v1Api(simulation, "v1Hosted").createTrusted({ body })).body;
    released(simulation, { uuid, kind: "v1Hosted", person });
  },
  /** Opens the URL with the code. A correct code redirects every time, but releases the data only once. */
  async openV1(simulation, { which, what }) {
    const one = newest(byKind(simulation, ["v1"]), which);
    if (one?.code == null) return;
    const now = nowOf(simulation);
    const typed = what > 0 ? one.code.right : wrongOf(one.code.right);
    const opened = await simulation.it.wallet.inject({ method: "GET", url: `${one.page}?code=${typed}` });
    if (!model.isLive(one, now)) return assert.notEqual(opened.statusCode, 303);
    const outcome = model.submit(one.code, typed, now);
    const isRight = outcome === "right" || (outcome === "verified" && typed === one.code.right);
    assert.equal(opened.statusCode, isRight ? 303 : 200);
    if (!isRight || one.state === "released") return;
    Object.assign(one, { state: "released", expiresAt: now + model.readableMs });
    model.noted(one.person, "oneClick.released");
  },
  async readV1(simulation, { which }) {
    const one = newest(byKind(simulation, ["v1", "v1Hosted"]), which);
    if (one === undefined) return;
    const now = nowOf(simulation);
    const { body, code } = await told(v1Api(simulation, one.kind).readV1OneClick({ params: { uuid: one.uuid } }));
    if (!model.isReadable(one, now)) return assert.equal(code, "OCE015");
    assert.equal(Object.keys(body?.credentials ?? {}).length > 0, one.state === "released", String(code));
    model.noteRead(one, now);
  },
};

function v1Api({ it, brands }: Simulation, kind: model.Kind) {
  return client(
    { createTrusted, createV1OneClick, readV1OneClick },
    {
      send: async ({ method, path, body, headers }) =>
        await it.inject({
          method,
          url: path,
          headers: { ...headers, authorization: brands[kind].apiKey },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        }),
    },
  );
}
