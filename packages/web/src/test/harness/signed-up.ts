import type { Tables } from "../../../../service/src/store/statements/tables.ts";
import type { DashboardBrowser } from "./dashboard.ts";

type Kind = {
  state: Tables["one_click"]["state"];
  count: number;
  refusal?: Tables["one_click"]["refusal"];
  isFound?: boolean;
  daysAgo?: number;
};

/** Creates a brand with 1-Clicks in the given states, as copies of one row. */
export async function signedUp(it: DashboardBrowser, kinds: readonly Kind[]) {
  const { uuid, api } = await it.brand();
  await api.createOneClick({ body: { phone: "+12125550010" } });
  const { db } = it.store;
  const [row] = await db
    .selectFrom("one_click")
    .selectAll()
    .where("brand_uuid", "=", uuid)
    .orderBy("created_at", "desc")
    .execute();
  if (row === undefined) throw new Error("no 1-Click");
  const now = it.deps.clock.now();
  const copies = kinds.flatMap(({ state, count, refusal = null, isFound = false, daysAgo = 0 }) =>
    Array.from({ length: count }, (_, at) => {
      const created_at = now - daysAgo * 86_400_000 - at * 60_000 - 3_600_000;
      return {
        ...row,
        ...{ uuid: crypto.randomUUID(), sealed: null, state, refusal, created_at, expires_at: created_at + 600_000 },
        found_at: isFound ? created_at + 20_000 + at * 500 : null,
        answered_at: state === "released" ? created_at + 95_000 + at * 2_000 : null,
        verification_uuid: null,
      };
    }),
  );
  for (let at = 0; at < copies.length; at += 500)
    await db
      .insertInto("one_click")
      .values(copies.slice(at, at + 500))
      .execute();
  return { uuid, api };
}
