/** What a logo may be. No schemas: what runs in a browser needs the values alone. */

/** Bytes. */
export const logoBytesMax = 200 * 1024;
export const logoTypes = ["image/png", "image/jpeg"] as const;
