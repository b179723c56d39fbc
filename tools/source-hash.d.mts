/** The hash of the sources that a build is made from, 16 hexadecimal digits. */
export function sourceHash(build: "sdk" | "web" | "service"): string;
