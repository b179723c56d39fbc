import { createECDH, createHash, createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import type { Environment } from "@countersign/contract/brand";
import { type DataKeyRow, findWrappedKey, insertDataKeys } from "./data-key-rows.ts";
import type { AnyReader, AnyTrx, Home } from "./database.ts";
import { assertMasterKeys, OtherMasterKey, registerMasterKey } from "./master-key-rows.ts";
import {
  asKey,
  hmac,
  listedBytesMin,
  newKeyBytes,
  opaqueBytes,
  opaqueNumber,
  openBytes,
  type Place,
  sealBytes,
} from "./seal.ts";
import { ensureServiceKey } from "./service-key-rows.ts";

/** A subject's data key, decrypted. */
export type DataKey = { uuid: string; key: KeyObject };
export type MasterKey = { id: string; key: KeyObject };

/** All operations with keys: blind indexes, hashes of codes, and sealed values of a subject. */
export type Vault = {
  indexKeyVersion: number;
  /** Lookup value of personal data: equal inputs give equal outputs, and computing it requires the key. */
  index(kind: "phone" | "email", environment: string, value: string): Buffer;
  /** Keyed hash of a short secret or a guessable value, bound to `scope`. */
  keyedHash(scope: string, value: string): Buffer;
  /** A row's number as an opaque ID for readers of `scope`. It reveals no count, and differs in another scope. */
  opaqueId(scope: string, number: number): string;
  /** Null if the ID does not belong to this scope. */
  numberOf(scope: string, id: string): number | null;
  /** Call it before keys are wrapped in another database than home. Throws `OtherMasterKey`. */
  registerIn(reader: AnyReader, now: number): Promise<void>;
  createDataKey(trx: AnyTrx, environment: string, now: number): Promise<DataKey>;
  /** Like `createDataKey`, but the caller inserts the row. */
  makeDataKey(environment: string, now: number): { dataKey: DataKey; row: DataKeyRow };
  /** Throws `KeyDestroyed` if the subject was deleted. */
  readDataKey(reader: AnyReader, uuid: string): Promise<DataKey>;
  /** Like `readDataKey`, for a row that the caller has already read. */
  openDataKey(uuid: string, wrapped: Buffer | null): DataKey;
  /** ECDSA P-256 signature over SHA-256 of the bytes, as base64 of DER. Each environment has its own key. */
  signPush(environment: Environment, bytes: Buffer): string;
  /** The public key of an environment's pushes, as a JWK. */
  pushKey(environment: Environment): Record<string, unknown>;
  /** A compact JWS (ES256) of a consent statement. `receiptKey` is the key that verifies it, as a JWK. */
  signReceipt(statement: Record<string, unknown>): string;
  receiptKey: Record<string, unknown>;
  /** Seals what belongs to the OpenID Provider and to no person, such as its signing keys. */
  openidKey: DataKey;
  /** Seals the keys that sign credentials. */
  takeoutKey: DataKey;
  seal(dataKey: DataKey, place: Place, value: unknown): Buffer;
  /** Like `seal`, for a value of which one statement reads many: see `listedBytesMin`. */
  sealListed(dataKey: DataKey, place: Place, value: unknown): Buffer;
  /** `Value` is the type that was sealed. Only our own rows are opened, and the seal proves that they are ours. */
  open<Value>(dataKey: DataKey, place: Place, sealed: Buffer): Value;
  /** The sealed value as JSON, as `JSON.stringify` wrote it. */
  openJson(dataKey: DataKey, place: Place, sealed: Buffer): string;
};

class KeyDestroyed extends Error {
  override name = "KeyDestroyed";
}

/** One request computes the index of its phone in several places, so the newest indexes of each kind are kept. */
const indexesMax = 100;

/** Maximum number of cached data keys. A destroyed key is never used, because the wrapped key is read each time. */
const openedKeysMax = 5_000;

export function masterKeyOf(bytes: Buffer): MasterKey {
  return {
    id: createHash("sha256").update("countersign master key id").update(bytes).digest("hex").slice(0, 16),
    key: asKey(bytes),
  };
}

/** `master` wraps keys. `others` only unwrap: during a change of the master key, the previous key or the next one. */
export type MasterKeys = { master: MasterKey; others: readonly MasterKey[] };

/** Where a wrapped key is stored. The seal binds the key to this row. */
export const wrappedPlaces = {
  data: (uuid: string): Place => ({ table: "data_key", row: uuid }),
  service: (purpose: string): Place => ({ table: "service_key", row: `${purpose}|1` }),
};

/** Decrypts a wrapped key with the master key that wrapped it. */
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

async function serviceKey(home: Home, keys: MasterKeys, purpose: string, now: number): Promise<KeyObject> {
  const { master } = keys;
  const place = wrappedPlaces.service(purpose);
  const fresh = sealBytes(master.key, place, newKeyBytes());
  const row = await ensureServiceKey(home, { purpose, wrapped: fresh, master_key_id: master.id, createdAt: now });
  if (![master, ...keys.others].some(({ id }) => id === row.master_key_id))
    throw new OtherMasterKey(master.id, row.master_key_id);
  return asKey(unwrap(keys, place, row.wrapped));
}

export async function openVault(home: Home, keys: MasterKeys, now: number): Promise<Vault> {
  const ids = { master: keys.master.id, others: keys.others.map(({ id }) => id) };
  await assertMasterKeys(home, ids);
  const indexKey = await serviceKey(home, keys, "index", now);
  const codeKey = await serviceKey(home, keys, "code", now);
  const pushKeys = {
    production: signingKeyOf((await serviceKey(home, keys, "push", now)).export()),
    sandbox: signingKeyOf((await serviceKey(home, keys, "push sandbox", now)).export()),
  };
  const receipt = signingKeyOf((await serviceKey(home, keys, "receipt", now)).export());
  const openidKey = { uuid: "openid", key: await serviceKey(home, keys, "openid", now) };
  const takeoutKey = { uuid: "takeout", key: await serviceKey(home, keys, "takeout", now) };
  // Now that the service's keys exist, they have decided which of several processes with different keys is right.
  await registerMasterKey(home, ids, now);
  const opened = new Map<string, { wrapped: Uint8Array; dataKey: DataKey }>();

  const { master } = keys;
  const place = wrappedPlaces.data;
  const openDataKey = (uuid: string, wrapped: Buffer | null): DataKey => {
    if (wrapped === null) throw new KeyDestroyed("the key of this person was destroyed");
    const known = opened.get(uuid);
    if (known !== undefined && wrapped.equals(known.wrapped)) return known.dataKey;
    const dataKey = { uuid, key: asKey(unwrap(keys, place(uuid), wrapped)) };
    if (opened.size >= openedKeysMax) opened.delete(opened.keys().next().value ?? uuid);
    // Copy the bytes: a buffer from the driver or from `Buffer.from` would keep its whole 64 KB block in memory.
    opened.set(uuid, { wrapped: new Uint8Array(wrapped), dataKey });
    return dataKey;
  };

  const opaqueKey = (scope: string) => asKey(hmac(codeKey, "opaque id", scope));

  const makeDataKey: Vault["makeDataKey"] = (environment, createdAt) => {
    const uuid = randomUUID();
    const bytes = newKeyBytes();
    const wrapped = sealBytes(master.key, place(uuid), bytes);
    const row = { uuid, environment, master_key_id: master.id, wrapped, created_at: createdAt };
    return { dataKey: { uuid, key: asKey(bytes) }, row };
  };

  return {
    indexKeyVersion: 1,
    index: indexWith(indexKey),
    keyedHash: (scope, value) => hmac(codeKey, scope, value),
    opaqueId: (scope, number) => opaqueBytes(opaqueKey(scope), number).toString("base64url"),
    numberOf: (scope, id) => opaqueNumber(opaqueKey(scope), Buffer.from(id, "base64url")),
    registerIn: (reader, at) => registerMasterKey(reader, ids, at),
    openDataKey,
    signPush: (environment, bytes) => sign("sha256", bytes, pushKeys[environment].privateKey).toString("base64"),
    pushKey: (environment) => pushKeys[environment].jwk,
    signReceipt: (statement) => compactJws(receipt, statement),
    receiptKey: receipt.jwk,
    openidKey,
    takeoutKey,
    makeDataKey,
    async createDataKey(trx, environment, createdAt) {
      const { dataKey, row } = makeDataKey(environment, createdAt);
      await insertDataKeys(trx, [row]);
      return dataKey;
    },
    async readDataKey(reader, uuid) {
      return openDataKey(uuid, await findWrappedKey(reader, uuid));
    },
    seal: (dataKey, where, value) => sealBytes(dataKey.key, where, Buffer.from(JSON.stringify(value))),
    sealListed: (dataKey, where, value) =>
      sealBytes(dataKey.key, where, Buffer.from(JSON.stringify(value)), listedBytesMin),
    open: <Value>(dataKey: DataKey, where: Place, sealed: Buffer) =>
      JSON.parse(openBytes(dataKey.key, where, sealed).toString()) as Value,
    openJson: ({ key }, where, sealed) => openBytes(key, where, sealed).toString(),
  };
}

function indexWith(key: KeyObject): Vault["index"] {
  /** By environment, then by value. */
  const newest = { phone: new Map<string, Map<string, Buffer>>(), email: new Map<string, Map<string, Buffer>>() };
  return (kind, environment, value) => {
    const known = newest[kind].get(environment) ?? new Map<string, Buffer>();
    newest[kind].set(environment, known);
    const found = known.get(value);
    if (found !== undefined) return found;
    const made = hmac(key, kind, environment, value);
    if (known.size >= indexesMax) known.delete(known.keys().next().value ?? value);
    known.set(value, made);
    return made;
  };
}

/** RFC 7515, section 3.1. A JOSE signature is the two numbers concatenated, not their DER form. */
function compactJws({ privateKey, jwk }: SigningKey, statement: Record<string, unknown>): string {
  const header = { alg: "ES256", typ: "consent-receipt+jwt", kid: jwk.kid };
  const text = [header, statement].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${text}.${signature.toString("base64url")}`;
}

type SigningKey = { privateKey: KeyObject; jwk: Record<string, unknown> };

/** A P-256 key pair derived from 32 random bytes, and its public key as a JWK. */
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
