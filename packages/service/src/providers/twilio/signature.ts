import { createHmac } from "node:crypto";
import { sameText } from "../signature.ts";

/** Whether a form to one of our URLs is signed with the account's token (`X-Twilio-Signature`). */
export function isSignedByTwilio(
  request: { url: string; form: URLSearchParams; signature: string },
  authToken: string,
): boolean {
  // Check every spelling, so that the duration does not reveal which one matched.
  return spellings(request.url)
    .map((url) => sameText(request.signature, twilioSignature({ url, form: request.form }, authToken)))
    .includes(true);
}

/** HMAC-SHA1 of the URL and the form's fields, sorted by name, each name followed by its values. */
export function twilioSignature(request: { url: string; form: URLSearchParams }, authToken: string): string {
  const names = [...new Set(request.form.keys())].sort();
  const fields = names.map((name) => [...new Set(request.form.getAll(name))].sort().map((value) => name + value));
  return createHmac("sha1", authToken)
    .update(request.url + fields.flat().join(""))
    .digest("base64");
}

/** Twilio signs the URL with or without the default port of its protocol. */
function spellings(text: string): string[] {
  const { protocol, hostname, port, pathname, search } = new URL(text);
  const implied = protocol === "https:" ? "443" : "80";
  if (port !== "") return [text];
  return [text, `${protocol}//${hostname}:${implied}${pathname}${search}`];
}
