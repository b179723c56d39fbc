import { createHash } from "node:crypto";
import type { BrandSettings, Environment } from "@countersign/contract/brand";
import type { HomeReader } from "../../store/database.ts";
import { invalid, refuse } from "../failure.ts";
import { findLogoBytes, type LogoType, putLogoRow } from "./logo-rows.ts";
import { type AdminDeps, changeSettings, type SettingsEdit } from "./manage.ts";
import { logoSetting } from "./name-requests.ts";
import { readJpeg } from "./picture-jpeg.ts";
import { readPng } from "./picture-png.ts";
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

/**
 * Stores a brand's logo without its metadata, in place of the previous logo. The caller has checked the brand's owner
 * and the version, because decoding is the expensive part.
 */
export async function putLogo(
  deps: AdminDeps,
  input: NewLogo,
  edit: Omit<SettingsEdit, "alongside">,
): Promise<BrandSettings> {
  const { type, bytes } = await pictureOf(input);
  const hash = createHash("sha256").update(bytes).digest();
  const logoUrl = `${input.walletUrl}/logo/${hash.toString("hex")}.${type}`;
  const { brandUuid } = input;
  const alongside: SettingsEdit["alongside"] = async (trx, { requested }) => {
    const { environment, clock } = deps;
    const isWaiting = requested.some(({ path }) => path === logoSetting);
    await putLogoRow(trx, { brandUuid, environment, hash, type, bytes, isWaiting, now: clock.now() });
  };
  return await changeSettings(deps, brandUuid, { styling: { logoUrl } }, { ...edit, alongside });
}

/** Removes the logo from the settings, and the stored picture with it. */
export async function removeLogo(deps: AdminDeps, brandUuid: string, edit: SettingsEdit): Promise<BrandSettings> {
  return await changeSettings(deps, brandUuid, { styling: { logoUrl: null } }, edit);
}

/** The wallet path of a logo, without its base URL; undefined for pictures hosted elsewhere. */
export function logoPath(logoUrl: string | null): string | undefined {
  return pathPattern.exec(logoUrl ?? "")?.[0];
}

/** The logo under a wallet path; null if there is none. */
export async function findLogo(
  reader: HomeReader,
  environment: Environment,
  path: string,
): Promise<{ mimeType: string; bytes: Buffer } | null> {
  const [, hash, type] = pathPattern.exec(path) ?? [];
  if (hash === undefined || (type !== "png" && type !== "jpg")) return null;
  const bytes = await findLogoBytes(reader, environment, { hash: Buffer.from(hash, "hex"), type });
  return bytes === null ? null : { mimeType: mimeTypes[type], bytes };
}

/** Decoding uses memory and threads for a single call, so this process decodes only so many pictures at once. */
const decodesMax = 2;
let decodes = 0;

async function decoded(bytes: Buffer): Promise<Picture> {
  if (decodes >= decodesMax)
    throw refuse(429, "Other pictures are being checked. Send this one again in a second.", { "retry-after": "1" });
  decodes += 1;
  try {
    return await readPicture(bytes);
  } finally {
    decodes -= 1;
  }
}

/** Checks a picture by decoding it, and removes its metadata. */
export async function pictureOf({ bytes, mimeType }: Pick<NewLogo, "bytes" | "mimeType">): Promise<Picture> {
  const problem = (message: string) => invalid([{ path: "body", message }]);
  const picture = await decoded(bytes).catch((error: unknown) => {
    throw error instanceof NoPicture ? problem(`The picture ${error.message}.`) : error;
  });
  if (mimeType !== undefined && mimeType !== mimeTypes[picture.type])
    throw problem(`The picture is ${mimeTypes[picture.type]}, but was sent as ${mimeType}.`);
  return picture;
}

/** A picture without metadata. */
type Picture = { type: LogoType; bytes: Buffer };

const signatures = {
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpg: Buffer.from([0xff, 0xd8, 0xff]),
};

/** Reads a PNG or JPEG, recognized by its content. Throws `NoPicture`. */
async function readPicture(bytes: Buffer): Promise<Picture> {
  const begins = (signature: Buffer) => bytes.subarray(0, signature.length).equals(signature);
  if (begins(signatures.png)) return { type: "png", bytes: await readPng(bytes) };
  if (begins(signatures.jpg)) return { type: "jpg", bytes: readJpeg(bytes) };
  throw new NoPicture("is neither a PNG nor a JPEG");
}
