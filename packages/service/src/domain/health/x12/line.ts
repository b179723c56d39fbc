import { read271 } from "./eligibility.ts";
import { X12Error } from "./x12-error.ts";

/** The content of a file as one line of JSON: the parsed 271, or the kind of error. */
export function x12Line(file: string, bytes: Uint8Array): string {
  try {
    const { eligibility, rejections } = read271(bytes);
    return JSON.stringify({ file, eligibility, ...(rejections.length === 0 ? {} : { rejections }) });
  } catch (error) {
    if (!(error instanceof X12Error)) throw error;
    return JSON.stringify({ file, error: { kind: error.kind, message: error.message } });
  }
}
