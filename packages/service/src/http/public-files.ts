import type { FastifyRequest } from "fastify";

/**
 * Headers of public files, such as the SDK's script and pictures. Pages of any site may load them, also pages that are
 * cross-origin isolated.
 */
export const forPagesOfAnySite = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/** The encodings of built files, the smallest first. */
export const encodings = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

/** The smallest encoding that the browser accepts and the file exists in. */
export function acceptedEncoding(request: FastifyRequest, exists: (suffix: string) => boolean) {
  return encodings.find(({ encoding, suffix }) => accepts(request, encoding) && exists(suffix));
}

function accepts(request: FastifyRequest, encoding: string): boolean {
  const taken = String(request.headers["accept-encoding"] ?? "").split(",");
  return taken.some((one) => one.trim().split(";")[0] === encoding && !/;\s*q=0(\.0*)?$/.test(one));
}
