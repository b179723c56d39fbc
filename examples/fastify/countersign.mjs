/** The calls to Countersign. The key stays on this server. */
import { createHmac, timingSafeEqual } from "node:crypto";

const {
  COUNTERSIGN_API = "http://localhost:4000",
  COUNTERSIGN_KEY = "sk_sandbox_demo_api",
  COUNTERSIGN_WEBHOOK_SECRET = "",
} = process.env;

/** An error answer. Branch on `errorCode`, never on the message. */
export class Refused extends Error {
  constructor({ message, data = {} }) {
    super(message);
    this.errorCode = data.errorCode;
    this.data = data;
  }
}

async function post(path, body) {
  const response = await fetch(`${COUNTERSIGN_API.replace(/\/$/, "")}/v2${path}`, {
    method: "POST",
    headers: { authorization: COUNTERSIGN_KEY, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  // The error is not about the person: the key or the URL may be wrong.
  if (!answer.data?.errorCode) console.error(`Countersign: ${response.status} ${answer.message}`);
  throw new Refused(answer);
}

/** Texts a code to the phone, and returns the id of the verification. */
export async function textCode(phone) {
  const { uuid } = await post("/1-click/verifications", { channel: "sms", phone });
  await post(`/1-click/verifications/${uuid}/deliver`, {});
  return uuid;
}

/** Checks the code, and returns the person's data. */
export async function signUp(verificationUuid, code) {
  await post(`/1-click/verifications/${encodeURIComponent(verificationUuid)}/verify`, { code });
  const { identity } = await post("/1-click", { verificationUuid });
  return identity.credentials;
}

/** Whether a webhook is from Countersign: its signature is right and its timestamp is not older than five minutes. */
export function isGenuine(rawBody, timestamp = "", signature = "") {
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const hash = createHmac("sha256", COUNTERSIGN_WEBHOOK_SECRET).update(`${timestamp}.${rawBody}`).digest("hex");
  const expected = Buffer.from(`v1=${hash}`);
  return signature.split(",").some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
