import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { browserClient, pathOf } from "../api/client.ts";
import { type Endpoints, endpoints } from "../dashboard/endpoints.ts";

type Trouble = { status: number } | "lost";

/** A client of the dashboard whose requests go to `answer`, and the requests that it sent. */
function clientAnswering(t: TestContext, answer: () => Response) {
  const sent: { url: unknown; method?: string; headers?: unknown; body?: unknown }[] = [];
  t.mock.method(globalThis, "fetch", async (url: unknown, { method, headers, body }: RequestInit = {}) => {
    sent.push({ url, method, headers, body });
    return answer();
  });
  const api = browserClient<Endpoints, Trouble>(endpoints, {
    credentials: "omit",
    deadlineMs: 1000,
    troubleOf: (status) => ({ status }),
    lost: "lost",
  });
  return { api, sent };
}

test("a call sends the method, path, query, and body of its endpoint", async (t) => {
  const { api, sent } = clientAnswering(t, () => Response.json({ data: [] }));
  const params = { brand: "a/b", environment: "sandbox" } as const;
  assert.deepEqual(await api.readAnalytics({ params, query: { range: "day" } }), { kind: "ok", value: { data: [] } });
  await api.searchLog({ params, body: { filter: {} } });
  const path = "/api/brands/a%2Fb/sandbox";
  assert.deepEqual(sent, [
    { url: `${path}/analytics?range=day`, method: "GET", headers: {}, body: undefined },
    { url: `${path}/log`, method: "POST", headers: { "content-type": "application/json" }, body: '{"filter":{}}' },
  ]);
});

test("an error response becomes the trouble that the application defines for its status", async (t) => {
  const { api } = clientAnswering(t, () => Response.json({}, { status: 404 }));
  assert.deepEqual(await api.readMe(), { kind: "trouble", trouble: { status: 404 } });
});

test("a call without a readable response is reported as lost", async (t) => {
  const { api } = clientAnswering(t, () => new Response("<html>", { status: 502 }));
  assert.deepEqual(await api.readMe(), { kind: "trouble", trouble: "lost" });
});

test("a link has the path of its endpoint", () => {
  assert.equal(pathOf(endpoints.readBrand, { brand: "1" }), "/api/brands/1");
});

test("a wrong endpoint, parameter, or body does not compile", (t) => {
  const { api } = clientAnswering(t, () => Response.json({}));
  const mistakes = [
    // @ts-expect-error: no such endpoint
    () => api.readBrands(),
    // @ts-expect-error: the path has a parameter
    () => api.readBrand(),
    // @ts-expect-error: there is no environment of this name
    () => api.readSettings({ params: { brand: "1", environment: "staging" } }),
    // @ts-expect-error: the body needs a name
    () => api.createBrand({ body: { integrationType: "sdk" } }),
    // @ts-expect-error: the endpoint has no body
    () => api.readMe({ body: {} }),
  ];
  assert.equal(mistakes.length, 5);
});
