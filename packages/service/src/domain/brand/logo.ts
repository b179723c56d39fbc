import { createHash } from "node:crypto";
import type { BrandSettings, Environment } from "@countersign/contract/brand";
import type { Reader } from "../../store/database.ts";
import { invalid } from "../failure.ts";
import { type Alongside, changeSettings, type Ledger, type SettingsChange } from "./manage.ts";
import { type Picture, readPicture } from "./picture.ts";
import { NoPicture } from "./picture-size.ts";

const pathPattern = /\/logo\/([0-9a-f]{64})\.(png|jpg)$/;
const mimeTypes = { png: "image/png", jpg: "image/jpeg" } as const;

export type NewLogo = {
  brandUuid: string;
  bytes: Buffer;
  /** The MIME type that the sender states; if absent, it is detected. */
  mimeType?: string;
  walletUrl: string;
};

/** Stores a brand's logo without its metadata, in place of the previous logo. */
export async function putLogo(
  ledger: Ledger,
  what: NewLogo,
  alongside?: Alongside<SettingsChange>,
): Promise<BrandSettings> {
  const { type, bytes } = await pictureOf(what);
  const hash = createHash("sha256").update(bytes).digest();
  const logoUrl = `${what.walletUrl}/logo/${hash.toString("hex")}.${type}`;
  const { brandUuid } = what;
  return await changeSettings(ledger, brandUuid, { styling: { logoUrl } }, async (trx, change) => {
    const row = { hash, type, bytes, created_at: ledger.clock.now() };
    await trx
      .insertInto("brand_logo")
      .values({ brand_uuid: brandUuid, environment: ledger.environment, ...row })
      .onConflict((conflict) => conflict.columns(["brand_uuid", "environment"]).doUpdateSet(row))
      .execute();
    await alongside?.(trx, change);
  });
}

/** Removes the logo from the settings, and the stored picture with it. */
export async function removeLogo(
  ledger: Ledger,
  brandUuid: string,
  alongside?: Alongside<SettingsChange>,
): Promise<BrandSettings> {
  return await changeSettings(ledger, brandUuid, { styling: { logoUrl: null } }, alongside);
}

/** The wallet path of a logo, without its base URL; undefined for pictures hosted elsewhere. */
export function logoPath(logoUrl: string | null): string | undefined {
  return pathPattern.exec(logoUrl ?? "")?.[0];
}

/** The logo under a wallet path; null if there is none. */
export async function findLogo(
  reader: Reader,
  environment: Environment,
  path: string,
): Promise<{ mimeType: string; bytes: Buffer } | null> {
  const [, hash, type] = pathPattern.exec(path) ?? [];
  if (hash === undefined || (type !== "png" && type !== "jpg")) return null;
  const row = await reader
    .selectFrom("brand_logo")
    .select("bytes")
    .where("environment", "=", environment)
    .where("hash", "=", Buffer.from(hash, "hex"))
    .where("type", "=", type)
    .executeTakeFirst();
  return row === undefined ? null : { mimeType: mimeTypes[type], bytes: row.bytes };
}

async function pictureOf({ bytes, mimeType }: Pick<NewLogo, "bytes" | "mimeType">): Promise<Picture> {
  const problem = (message: string) => invalid([{ path: "body", message }]);
  const picture = await readPicture(bytes).catch((error: unknown) => {
    throw error instanceof NoPicture ? problem(error.message) : error;
  });
  if (mimeType !== undefined && mimeType !== mimeTypes[picture.type])
    throw problem(`is ${mimeTypes[picture.type]}, not the ${mimeType} that it is sent as`);
  return picture;
}
