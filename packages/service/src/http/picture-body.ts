import { logoTypes } from "@countersign/contract/logo";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** From here on a scope takes pictures, and nothing else: every other path answers 415 to them. */
export function takePictures(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...logoTypes], { parseAs: "buffer" }, async (_: unknown, body: Buffer) => body);
  scope.addContentTypeParser("*", async () => undefined);
}

/** What was sent, and what the sender says it is. */
export function pictureOf({ body, headers }: FastifyRequest): { bytes: Buffer; mimeType: string | undefined } {
  return {
    bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    mimeType: headers["content-type"]?.split(";")[0]?.trim().toLowerCase(),
  };
}
