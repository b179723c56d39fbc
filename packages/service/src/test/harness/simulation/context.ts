/** What every action of a simulation uses: the people, the time, and the answers to calls. */
import assert from "node:assert/strict";
import { ApiError, client } from "@countersign/contract/client";
import { beginByPhone, openSession } from "@countersign/contract/session";
import { decidePage, provePage, viewPage } from "@countersign/contract/wallet";
import type { Sandbox } from "../sandbox.ts";
import { scriptCalls } from "../script-calls.ts";
import type * as model from "./model.ts";

type Brands = Record<model.Kind, { uuid: string; apiKey: string; api: Sandbox["api"] }>;
export type Simulation = {
  it: Sandbox;
  brands: Brands;
  world: model.World;
  /** Returns the code that was created last. */
  newestCode(): string;
  hook: string;
};
/** The action, and the person, object and value that it uses. */
export type Step = { action: string; who: number; which: number; what: number };
export type Action = (simulation: Simulation, step: Step) => Promise<void>;

export const nowOf = ({ it }: Simulation) => it.deps.clock.now();
export const at = <Value>(list: readonly Value[], index: number): Value | undefined =>
  list[index % Math.max(1, list.length)];
/** Picks from the newest, because the next action usually concerns the latest object. */
export const newest = <Value>(list: readonly Value[], which: number) => at(list.toReversed(), which);
export const personOf = ({ world }: Simulation, { who }: Step) => at(world.people, who) ?? assert.fail();

/**
 * Returns the body of a call, or the error code of a refused call, or its status if it has no code. `code` is null on
 * success.
 */
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
  return client(endpoints, { send: scriptCalls(it.wallet, session) });
}
export const wrongOf = (right: string) => (right === "000000" ? "000001" : "000000");
export const byKind = ({ world }: Simulation, kinds: readonly model.Kind[]) =>
  world.oneClicks.filter(({ kind }) => kinds.includes(kind));
