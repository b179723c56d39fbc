/** API v1 in a simulation: the brand texts its people itself and redirects them through a wallet URL. */
import assert from "node:assert/strict";
import { client } from "@countersign/contract/client";
import { createV1OneClick, readV1OneClick } from "@countersign/contract/v1";
import { type Action, byKind, newest, nowOf, personOf, type Simulation, told, wrongOf } from "./context.ts";
import * as model from "./model.ts";

export const legacy: Record<string, Action> = {
  async beginV1(simulation, step) {
    const person = personOf(simulation, step);
    const asked = { phone: person.phone, isHosted: false, birthDate: "1970-08-01" };
    const { body } = await v1Api(simulation).createV1OneClick({ body: asked });
    const { uuid, url, smsBody } = body;
    assert.ok(body.match && uuid !== undefined && url !== undefined && smsBody !== undefined);
    const right = (/\d{3}-\d{3}/.exec(smsBody)?.[0] ?? "").replace("-", "");
    simulation.world.oneClicks.push({
      uuid,
      kind: "v1",
      person,
      state: "awaitingProof",
      code: model.newCode(person, right, nowOf(simulation)),
      page: new URL(url).pathname,
      session: null,
      expiresAt: nowOf(simulation) + model.readableMs,
      erased: false,
    });
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
    const one = newest(byKind(simulation, ["v1"]), which);
    if (one === undefined) return;
    const now = nowOf(simulation);
    const { body, code } = await told(v1Api(simulation).readV1OneClick({ params: { uuid: one.uuid } }));
    if (!model.isReadable(one, now)) return assert.equal(code, "OCE015");
    assert.ok(Object.keys(body?.credentials ?? {}).length > 0, String(code));
    model.noteRead(one, now);
  },
};

function v1Api({ it, brands }: Simulation) {
  return client(
    { createV1OneClick, readV1OneClick },
    {
      send: async ({ method, path, body, headers }) =>
        await it.inject({
          method,
          url: path,
          headers: { ...headers, authorization: brands.v1.apiKey },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        }),
    },
  );
}
