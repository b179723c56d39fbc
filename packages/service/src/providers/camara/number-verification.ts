import { createHash, randomUUID } from "node:crypto";
import { readObject, textOf } from "../json.ts";
import type { Vendor } from "../vendor.ts";

export type NumberApi = { vendor: Vendor; apiUrl: string; token: string; deadlineMs: number };

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  accept: "application/json",
  // A random id that correlates the operator's log with ours.
  "x-correlator": randomUUID(),
});

/** Whether the token's device is on that line. Anything but a plain `true` means no. */
export async function isOnLine(api: NumberApi, question: { phone: string; hashed: boolean }): Promise<boolean> {
  const { vendor, apiUrl, token, deadlineMs } = api;
  const body = question.hashed
    ? { hashedPhoneNumber: createHash("sha256").update(question.phone).digest("hex") }
    : { phoneNumber: question.phone };
  const answer = await vendor.call({
    operation: "verify",
    method: "POST",
    url: `${apiUrl}/verify`,
    headers: { ...headersOf(token), "content-type": "application/json" },
    body: JSON.stringify(body),
    deadlineMs,
    // The first call that arrives uses up the token.
    repeats: "untouched",
  });
  if (answer.kind !== "answered" || answer.status !== 200) return false;
  return readObject(answer.text)?.devicePhoneNumberVerified === true;
}

/** The phone number of the token's device; null if the operator does not return it. */
export async function phoneOfLine({ vendor, apiUrl, token, deadlineMs }: NumberApi): Promise<string | null> {
  const answer = await vendor.call({
    operation: "device-phone-number",
    method: "GET",
    url: `${apiUrl}/device-phone-number`,
    headers: headersOf(token),
    deadlineMs,
    repeats: "untouched",
  });
  if (answer.kind !== "answered" || answer.status !== 200) return null;
  const phone = textOf(readObject(answer.text), "devicePhoneNumber");
  return phone !== null && /^\+[1-9]\d{4,14}$/.test(phone) ? phone : null;
}
