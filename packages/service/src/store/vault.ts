import { createECDH, createHash, createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import type { Database, Reader, Trx } from "./database.ts";
import { hmac, keyOf, newKeyBytes, opaqueBytes, opaqueNumber, openBytes, type Place, sealBytes } from "./seal.ts";

/** A subject's key, opened. */
export type DataKey = { uuid: string; key: KeyObject };
export type MasterKey = { id: string; key: KeyObject };

/** All that touches keys: blind indexes, code hashes, and what is sealed for a subject. */
export type Vault = {
  indexKeyVersion: number;
  /** Look-up value of something personal: equal inputs give equal outputs, and only the key's holder can make one. */
  index(kind: "phone" | "email", environment: string, value: string): Buffer;
  /** Keyed hash of a short secret or a guessable value; bound to what it belongs to. */
  codeHash(scope: string, value: string): Buffer;
  /** A row's number as an id for whoever reads `scope`: it does not count, and in another scope it is another id. */
  opaqueId(scope: string, number: number): string;
  /** Null for an id that is not of this scope. */
  numberOf(scope: string, id: string): number | null;
  createDataKey(trx: Trx, environment: string, now: number): Promise<DataKey>;
  /** The same without its row, which the caller inserts. */
  makeDataKey(environment: string, now: number): { dataKey: DataKey; row: DataKeyRow };
  /** Throws `KeyDestroyed` when the subject was deleted. */
  readDataKey(reader: Reader, uuid: string): Promise<DataKey>;
  /** The same from a row that was joined already. */
  openDataKey(uuid: string, wrapped: Buffer | null): DataKey;
  /** ECDSA P-256 over SHA-256 of the bytes, base64 of its DER form; and the key that checks it, as a JWK. */
  signPush(bytes: Buffer): string;
  pushKey: Record<string, unknown>;
  /** A compact JWS (ES256) of a statement about consent; and the key that checks it, as a JWK. */
  signReceipt(statement: Record<string, unknown>): string;
  receiptKey: Record<string, unknown>;
  seal(dataKey: DataKey, place: Place, value: unknown): Buffer;
  /** `Value` is what was sealed there: only our own rows are opened, and the seal proves that they are ours. */
  open<Value>(dataKey: DataKey, place: Place, sealed: Buffer): Value;
};

export type DataKeyRow = {
  uuid: string;
  environment: string;
  master_key_id: string;
  wrapped: Buffer;
  created_at: number;
};

export class KeyDestroyed extends Error {
  override name = "KeyDestroyed";
}

/** Opened data keys kept in memory; a destroyed one is noticed because its wrapped form is read each time. */
const openedKeysMax = 5_000;

export function masterKeyOf(bytes: Buffer): MasterKey {
  return {
    id: createHash("sha256").update("countersign master key id").update(bytes).digest("hex").slice(0, 16),
    key: keyOf(bytes),
  };
}

/** The key that wraps, and others that open what they wrapped: while keys are changed, the one before or the next. */
export type MasterKeys = { master: MasterKey; others: readonly MasterKey[] };

/** Where a wrapped key lives, by which it is bound to its row. */
export const wrappedPlaces = {
  data: (uuid: string): Place => ({ table: "data_key", row: uuid }),
  service: (purpose: string): Place => ({ table: "service_key", row: `${purpose}|1` }),
};

/** Opens a wrapped key with whichever of the keys wrapped it. */
export function unwrap({ master, others }: MasterKeys, place: Place, wrapped: Buffer): Buffer {
  try {
    return openBytes(master.key, place, wrapped);
  } catch (error) {
    for (const other of others) {
      const opened = openedWith(other, place, wrapped);
      if (opened !== null) return opened;
    }
    throw error;
  }
}

function openedWith({ key }: MasterKey, place: Place, wrapped: Buffer): Buffer | null {
  try {
    return openBytes(key, place, wrapped);
  } catch {
    return null;
  }
}

async function serviceKey(db: Database, keys: MasterKeys, purpose: string, now: number): Promise<KeyObject> {
  const { master } = keys;
  const place = wrappedPlaces.service(purpose);
  const fresh = newKeyBytes();
  await db
    .insertInto("service_key")
    .values({
      purpose,
      version: 1,
      master_key_id: master.id,
      wrapped: sealBytes(master.key, place, fresh),
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db
    .selectFrom("service_key")
    .select(["wrapped", "master_key_id"])
    .where("purpose", "=", purpose)
    .where("version", "=", 1)
    .executeTakeFirstOrThrow();
  if (![master, ...keys.others].some(({ id }) => id === row.master_key_id))
    throw new Error(`the database was sealed under another master key (${row.master_key_id})`);
  return keyOf(unwrap(keys, place, row.wrapped));
}

export async function openVault(db: Database, keys: MasterKeys, now: number): Promise<Vault> {
  const indexKey = await serviceKey(db, keys, "index", now);
  const codeKey = await serviceKey(db, keys, "code", now);
  const push = signingKeyOf((await serviceKey(db, keys, "push", now)).export());
  const receipt = signingKeyOf((await serviceKey(db, keys, "receipt", now)).export());
  const opened = new Map<string, { wrapped: Uint8Array; dataKey: DataKey }>();

  const { master } = keys;
  const place = wrappedPlaces.data;
  const openDataKey = (uuid: string, wrapped: Buffer | null): DataKey => {
    if (wrapped === null) throw new KeyDestroyed("the key of this person was destroyed");
    const known = opened.get(uuid);
    if (known !== undefined && wrapped.equals(known.wrapped)) return known.dataKey;
    const dataKey = { uuid, key: keyOf(unwrap(keys, place(uuid), wrapped)) };
    if (opened.size >= openedKeysMax) opened.delete(opened.keys().next().value ?? uuid);
    // A copy in memory of its own: what the driver read, and what `Buffer.from` makes, is a piece of 64 KB that is kept with it.
    opened.set(uuid, { wrapped: new Uint8Array(wrapped), dataKey });
    return dataKey;
  };

  const opaqueKey = (scope: string) => keyOf(hmac(codeKey, "opaque id", scope));

  const makeDataKey: Vault["makeDataKey"] = (environment, createdAt) => {
    const uuid = randomUUID();
    const bytes = newKeyBytes();
    const wrapped = sealBytes(master.key, place(uuid), bytes);
    const row = { uuid, environment, master_key_id: master.id, wrapped, created_at: createdAt };
    return { dataKey: { uuid, key: keyOf(bytes) }, row };
  };

  return {
    indexKeyVersion: 1,
    index: (kind, environment, value) => hmac(indexKey, kind, environment, value),
    codeHash: (scope, value) => hmac(codeKey, scope, value),
    opaqueId: (scope, number) => opaqueBytes(opaqueKey(scope), number).toString("base64url"),
    numberOf: (scope, id) => opaqueNumber(opaqueKey(scope), Buffer.from(id, "base64url")),
    openDataKey,
    signPush: (bytes) => sign("sha256", bytes, push.privateKey).toString("base64"),
    pushKey: push.jwk,
    signReceipt: (statement) => compactJws(receipt, statement),
    receiptKey: receipt.jwk,
    makeDataKey,
    async createDataKey(trx, environment, createdAt) {
      const { dataKey, row } = makeDataKey(environment, createdAt);
      await trx.insertInto("data_key").values(row).execute();
      return dataKey;
    },
    async readDataKey(reader, uuid) {
      const row = await reader
        .selectFrom("data_key")
        .select("wrapped")
        .where("uuid", "=", uuid)
        .executeTakeFirstOrThrow();
      return openDataKey(uuid, row.wrapped);
    },
    seal: (dataKey, where, value) => sealBytes(dataKey.key, where, Buffer.from(JSON.stringify(value))),
    open: <Value>(dataKey: DataKey, where: Place, sealed: Buffer) =>
      JSON.parse(openBytes(dataKey.key, where, sealed).toString()) as Value,
  };
}

/** RFC 7515, 3.1. A signature of JOSE is its two numbers side by side, not their DER form. */
function compactJws({ privateKey, jwk }: SigningKey, statement: Record<string, unknown>): string {
  const header = { alg: "ES256", typ: "consent-receipt+jwt", kid: jwk.kid };
  const text = [header, statement].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

type SigningKey = { privateKey: KeyObject; jwk: Record<string, unknown> };

/** A P-256 key pair of 32 random bytes, and its public half as others read it. */
function signingKeyOf(secret: Buffer): SigningKey {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const privateKey = createPrivateKey({ key: { ...jwk, d: secret.toString("base64url") }, format: "jwk" });
  const kid = createHash("sha256").update(JSON.stringify(jwk)).digest("base64url").slice(0, 16);
  return { privateKey, jwk: { ...jwk, kid, alg: "ES256", use: "sig" } };
}
