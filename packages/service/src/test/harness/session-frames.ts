/** The SDK's frame and a carrier's redirects, as a browser uses them. */
import assert from "node:assert/strict";
import { client } from "@countersign/contract/client";
import { beginByDevice, beginByPhone, continueSession, openSession } from "@countersign/contract/session";
import {
  chooseInsurance,
  decidePage,
  findInsurance,
  provePage,
  resendPage,
  searchInsurers,
  viewPage,
} from "@countersign/contract/wallet";
import { frameOfKey, type Sandbox } from "./sandbox.ts";
import { scriptCalls } from "./script-calls.ts";

const uuidIn = (body: unknown) =>
  typeof body === "object" && body !== null && "uuid" in body ? String(body.uuid) : undefined;

export function sessionFrames(it: Sandbox) {
  /** The wallet's own API, as the frame uses it. */
  const frame = (session?: string) =>
    client(
      {
        ...{ openSession, beginByPhone, beginByDevice, continueSession, provePage, resendPage, viewPage, decidePage },
        ...{ findInsurance, chooseInsurance, searchInsurers },
      },
      { send: scriptCalls(it.wallet, session) },
    );
  return {
    frame,
    /** Makes a session key as the brand of `api`, and opens its session. */
    async opened(api: Sandbox["api"], body?: object) {
      const { sessionKey } = (await api.createSession(body === undefined ? {} : { body })).body;
      const asked = { body: { sessionKey, frame: frameOfKey(sessionKey) } };
      const { sessionToken, start } = (await frame().openSession(asked)).body;
      return { session: frame(sessionToken), start, sessionKey };
    },
    /** Follows the device's redirects as its browser does, and returns the last answer. */
    async follow(location: string, referer = `${it.deps.addresses.walletUrl}/`) {
      let next: string | undefined = location;
      for (let hop = 0; next !== undefined && hop < 10; hop += 1) {
        const { pathname, search }: URL = new URL(next);
        const headers = referer === "" ? {} : { referer };
        const answer = await it.inject({ method: "GET", url: `${pathname}${search}`, headers });
        if (answer.status !== 302) return { status: answer.status, uuid: uuidIn(answer.body) };
        // Without this, a browser would stop sending the page's address.
        assert.equal(answer.headers["referrer-policy"], "strict-origin");
        next = answer.headers.location;
      }
      return assert.fail("too many redirects");
    },
  };
}
