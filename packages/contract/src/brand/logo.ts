/** Limits for a logo. This file has no schemas, so browser code can import it. */

/** In bytes. */
export const logoBytesMax = 200 * 1024;
export const logoTypes = ["image/png", "image/jpeg"] as const;
