import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { HomeDeps } from "../domain/deps.ts";
import { refuse } from "../domain/failure.ts";
import { findPayer, payerPicturePath } from "../domain/health/payers.ts";
import type { Guard } from "./mount.ts";
import { forPagesOfAnySite } from "./public-files.ts";

const cacheSeconds = 86_400;
const lettersMax = 2;
/** Words that say nothing about which payer it is. */
const fillers = new Set(["of", "the", "and", "for", "inc", "all"]);

/** Serves the drawn pictures of payers. Browsers of any site may show them. */
export function routesPayerPictures(app: FastifyInstance, homeDeps: HomeDeps, guard: Guard<void>): void {
  app.get<{ Params: { file: string } }>(payerPicturePath(":file"), async (request, reply) => {
    await guard(request, reply);
    const vendorId = request.params.file.replace(/\.svg$/, "");
    const found = findPayer(homeDeps.vendors.payers, vendorId);
    if (found?.payer.vendorId !== vendorId) throw refuse(404, "No such payer.");
    return reply
      .header("cache-control", `public, max-age=${cacheSeconds}`)
      .headers(forPagesOfAnySite)
      .type("image/svg+xml")
      .send(monogram(found.payer));
  });
}

/** A square with the initials of a payer, in a color that its `vendorId` decides. White is readable on each of them. */
export function monogram({ name, vendorId }: { name: string; vendorId: string }): string {
  const hue = createHash("sha256").update(vendorId).digest().readUInt16BE(0) % 360;
  const text = `<text x="32" y="42" font-family="sans-serif" font-size="28" font-weight="600" text-anchor="middle" fill="#fff">${initialsOf(name)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" rx="12" fill="hsl(${hue} 60% 28%)"/>${text}</svg>`;
}

/** One letter or digit of each of the first words. Nothing else of a name enters the picture. */
function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !fillers.has(word.toLowerCase()));
  const initials = (telling.length > 0 ? telling : words).slice(0, lettersMax).map((word) => [...word][0] ?? "");
  return initials.join("").toUpperCase();
}
