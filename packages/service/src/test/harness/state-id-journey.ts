/** Asks for a state ID below HTTP, and answers with the sandbox's own wallet app. */
import assert from "node:assert/strict";
import { askForStateId, type StateIdProtocol } from "../../domain/state-id/ask.ts";
import type { StateIdElement } from "../../domain/state-id/elements.ts";
import { readStateId, type StateIdAnswer } from "../../domain/state-id/read.ts";
import { StateIdRefusal, type StateIdRefusalReason } from "../../domain/state-id/refusal.ts";
import {
  answerAsHolder,
  type HolderInput,
  type HolderMistake,
  testStateIds,
} from "../../providers/sandbox/state-id/holder.ts";
import { freshPhone } from "./below-http.ts";
import type { Sandbox } from "./sandbox.ts";

export const wantedElements: readonly StateIdElement[] = ["given_name", "family_name", "birth_date", "resident_city"];

/** A new 1-Click, with the dependencies of its cell. */
export async function oneClick(it: Sandbox) {
  const begun = await it.as("sk_sandbox_demo_hosted").beginOneClick({ body: { phone: freshPhone() } });
  return { subject: begun.body.uuid, deps: await it.deps.cells.ofUuid(begun.body.uuid) };
}

/** An open request of a new 1-Click, and the wallet app that answers it. */
export async function askedStateId(it: Sandbox, elements: readonly StateIdElement[] = wantedElements) {
  const { subject, deps } = await oneClick(it);
  const bound = { subject, browser: it.deps.random.uuid(), origin: "http://localhost:4001" };
  const { requestUuid, requests, expiresAt } = await askForStateId(deps, { ...bound, elements });
  const [california = assert.fail("no test IDs")] = testStateIds;
  return {
    deps,
    bound,
    requestUuid,
    requests,
    expiresAt,
    /** Answers in a protocol, as the wallet app does. */
    async answer(protocol: StateIdProtocol, given: Partial<HolderInput> & { mistake?: HolderMistake } = {}) {
      const request = requests.find((one) => one.protocol === protocol) ?? assert.fail(`${protocol} was not asked`);
      const input = { secretOf: secretOf(it), stateId: california, origin: bound.origin, now: it.deps.clock.now() };
      const answered = await answerAsHolder({ ...input, request, ...given });
      return { ...answered, protocol: answered.protocol as StateIdProtocol };
    },
    read: (given: Pick<StateIdAnswer, "protocol" | "data"> & Partial<StateIdAnswer>) =>
      readStateId(deps, { ...bound, requestUuid, ...given }),
  };
}

/** The secrets of the sandbox's test authorities and phones. */
export const secretOf = (it: Sandbox) => (label: string) => it.deps.vault.keyedHash("test state IDs", label);

/** The reason of a refusal. */
export async function reasonOf(reading: Promise<unknown>): Promise<StateIdRefusalReason> {
  return (await refusalOf(reading)).reason;
}

/** The reason of a refusal, and which check failed. */
export async function refusalOf(reading: Promise<unknown>): Promise<{ reason: StateIdRefusalReason; check: string }> {
  try {
    await reading;
  } catch (error) {
    if (!(error instanceof StateIdRefusal)) throw error;
    return { reason: error.reason, check: error.cause instanceof Error ? error.cause.message : "" };
  }
  return assert.fail("it was accepted");
}
