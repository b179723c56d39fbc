/** What every deed of a simulation stands on: whom it is about, when, and what it was told. */
import assert from "node:assert/strict";
import { ApiError, client } from "@countersign/contract/client";
import { beginByPhone, openSession } from "@countersign/contract/session";
import { decidePage, provePage, viewPage } from "@countersign/contract/wallet";
import { agreed } from "./agreed.ts";
import type { Sandbox } from "./harness.ts";
import type * as model from "./simulation-model.ts";

type Brands = Record<model.Kind, { uuid: string; apiKey: string; api: Sandbox["api"] }>;
export type Stage = {
  it: Sandbox;
  brands: Brands;
  world: model.World;
  /** The newest code that was made: of whatever was begun or delivered last. */
  newestCode(): string;
  hook: string;
};
/** Whose turn it is, which of what there is, and with what. */
export type Step = { deed: string; who: number; which: number; what: number };
export type Deed = (stage: Stage, step: Step) => Promise<void>;

export const consent = agreed("share");
export const nowOf = ({ it }: Stage) => it.deps.clock.now();
export const at = <Value>(list: readonly Value[], index: number): Value | undefined =>
  list[index % Math.max(1, list.length)];
/** The newest first: what happens next is most often about what happened last. */
export const newest = <Value>(list: readonly Value[], which: number) => at(list.toReversed(), which);
export const personOf = ({ world }: Stage, { who }: Step) => at(world.people, who) ?? assert.fail();

/** What a call is told: its error's code, or its status where that has none; null where it is done. */
export async function told<Body>(
  call: Promise<{ body: Body }>,
): Promise<{ body: Body | null; code: string | number | null }> {
  try {
    return { body: (await call).body, code: null };
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { body: null, code: error.errorCode ?? error.status };
  }
}

export function page(it: Sandbox, session?: string | null) {
  const endpoints = { openSession, beginByPhone, provePage, viewPage, decidePage };
  return client(endpoints, {
    send: async ({ method, path, body, headers }) => {
      const authorization = typeof session === "string" ? { authorization: `Bearer ${session}` } : {};
      const answer = await it.wallet.inject({
        method,
        url: path,
        headers: { ...headers, ...authorization },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, headers: {}, body: answer.json() };
    },
  });
}
export const wrongOf = (right: string) => (right === "000000" ? "000001" : "000000");
export const byKind = ({ world }: Stage, kinds: readonly model.Kind[]) =>
  world.oneClicks.filter(({ kind }) => kinds.includes(kind));
