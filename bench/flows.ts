/** The flows that one client of the load process repeats. */
import assert from "node:assert/strict";
import type { Dispatcher } from "undici";

export type FlowName = "verification" | "betterAuth" | "post" | "feathersPost";
/** `turn` is a different number in each call. */
export type Flow = (client: Dispatcher, turn: number, keys: readonly string[]) => Promise<void>;

/** The code that our service always sends during measurements. */
export const knownCode = "424242";

/** The sandbox judges area codes as production does, so every number has a real one. */
const areaCodes = [212, 213, 312, 404, 415, 512, 602, 617, 702, 808];
/** Numbers per area code: the exchange begins with 2 to 9. */
const [firstNumber, numbers] = [2_000_000, 8_000_000];
/** A prime number, so that consecutive phones belong to different number blocks. */
const stride = 104_729;
/** Number of phones that are used repeatedly. */
const people = 1_000;
const phoneOf = (turn: number) => `+1${areaCodes[turn % areaCodes.length]}${firstNumber + ((turn * stride) % numbers)}`;

export const flows: Record<FlowName, Flow> = {
  /** Creates, sends and verifies a code, each time for a new phone. */
  async verification(client, turn, keys) {
    const headers = { authorization: keys[turn % keys.length] ?? "" };
    const path = "/v2/1-click/verifications";
    const { body } = await post(client, path, { headers, body: { channel: "sms", phone: phoneOf(turn) } });
    await post(client, `${path}/${body.uuid}/deliver`, { headers, body: {} });
    const proven = await post(client, `${path}/${body.uuid}/verify`, { headers, body: { code: knownCode } });
    assert.equal(proven.body.status, "verified");
  },
  /** One call that writes: creates a verification for a known phone. */
  async post(client, turn, keys) {
    const headers = { authorization: keys[turn % keys.length] ?? "" };
    const body = { channel: "sms", phone: phoneOf(turn % people) };
    const begun = await post(client, "/v2/1-click/verifications", { headers, body });
    assert.equal(begun.body.status, "pending");
  },
  /** The same for Feathers, which stores the body unchanged. */
  async feathersPost(client, turn) {
    const body = { channel: "sms", phone: phoneOf(turn % people) };
    const made = await post(client, "/verifications", { headers: { authorization: "a key" }, body });
    assert.equal(made.body.status, "pending");
  },
  /** The same for better-auth, without the optional session. */
  async betterAuth(client, turn) {
    const phoneNumber = phoneOf(turn);
    const sent = await post(client, "/api/auth/phone-number/send-otp", { body: { phoneNumber } });
    const body = { phoneNumber, code: sent.headers["x-code"], disableSession: true };
    const proven = await post(client, "/api/auth/phone-number/verify", { body });
    assert.equal(proven.body.status, true);
  },
};

type Post = { headers?: Record<string, string>; body: unknown };

async function post(client: Dispatcher, path: string, { headers = {}, body }: Post) {
  const response = await client.request({
    method: "POST",
    path,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  assert.ok(response.statusCode < 300, `${path}: ${response.statusCode} ${text}`);
  return { headers: response.headers, body: JSON.parse(text) };
}
