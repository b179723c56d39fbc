import { parse271 } from "./eligibility.ts";
import { X12Error } from "./x12-error.ts";

/** What a file holds, as one line of JSON: a reading, or what it is instead. */
export function x12Line(file: string, bytes: Uint8Array): string {
  try {
    const { eligibility, rejections } = parse271(bytes);
    return JSON.stringify({ file, eligibility, ...(rejections.length === 0 ? {} : { rejections }) });
  } catch (error) {
    if (!(error instanceof X12Error)) throw error;
    return JSON.stringify({ file, error: { kind: error.kind, message: error.message } });
  }
}
