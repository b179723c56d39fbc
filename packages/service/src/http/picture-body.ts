import { logoTypes } from "@countersign/contract/logo";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Makes a scope accept only images. Other paths return 415 for images. */
export function acceptOnlyImages(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...logoTypes], { parseAs: "buffer" }, async (_: unknown, body: Buffer) => body);
  scope.addContentTypeParser("*", async () => undefined);
}

/** The bytes of the image, and the media type that the sender declares. */
export function pictureOf({ body, headers }: FastifyRequest): { bytes: Buffer; mimeType: string | undefined } {
  return {
    bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    mimeType: headers["content-type"]?.split(";")[0]?.trim().toLowerCase(),
  };
}
