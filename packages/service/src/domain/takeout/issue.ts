/** Issues the copies of a credential: one for each of the holder's keys, so that verifiers cannot link them. */

import { dayMs } from "@countersign/contract/time";
import { SDJwtVcInstance, type SdJwtVcPayload } from "@sd-jwt/sd-jwt-vc";
import type { DisclosureFrame } from "@sd-jwt/types";
import { byPerson, recordAudit } from "../audit/record.ts";
import type { Deps } from "../deps.ts";
import { issuerUrl, statusListOf, typeOf } from "./addresses.ts";
import { copyLifeMs, openSigner, sha256, signatureAlgorithm } from "./keys.ts";
import { typeOfKind } from "./kinds.ts";
import { useNonces } from "./nonce.ts";
import { WalletRefusal } from "./refusal.ts";
import { type Drawn, drawIndexes } from "./status-list-rows.ts";
import { type Claims, findRedeemed, type Redeemed, setIssued } from "./takeout-rows.ts";

const saltBytes = 16;

/** All copies of a day have the same times, because exact times would link them. */
const startOfDay = (at: number) => Math.floor(at / dayMs) * dayMs;

/** When copies made now expire: at the latest on the day on which the brand's credential expires. */
export function copiesExpireAt(now: number, issuerExpiresAt: number | null): number {
  return startOfDay(Math.min(now + copyLifeMs, issuerExpiresAt ?? Number.POSITIVE_INFINITY));
}

/** A holder's public key: P-256. */
export type HolderKey = { kty: "EC"; crv: "P-256"; x: string; y: string };

/** The credential that the token's offer is for. Refuses a token that is unknown, used or expired. */
export async function findOffered(deps: Deps, token: string): Promise<Redeemed> {
  const redeemed = await findRedeemed(deps, token);
  if (redeemed === null) throw new WalletRefusal("invalid_token", "The token is unknown, used or expired.");
  return redeemed;
}

/** Issues one copy for each key, once. The caller has verified a proof of each key, with these nonces. */
export async function issueCopies(
  deps: Deps,
  offered: Redeemed,
  input: { keys: readonly HolderKey[]; nonces: readonly string[]; requestId: string },
): Promise<string[]> {
  await useNonces(deps, input.nonces);
  const now = deps.clock.now();
  const issuedAt = startOfDay(now);
  const expiresAt = copiesExpireAt(now, offered.issuerExpiresAt);
  if (expiresAt <= now) throw new WalletRefusal("invalid_token", "What the brand issued has expired.");
  const drawn = await drawIndexes(deps, input.keys.length);
  const copies = await copiesOf(deps, offered, { drawn, keys: input.keys, issuedAt, expiresAt });
  const type = typeOfKind(offered.kind);
  await deps.db.inTransaction(async (trx) => {
    if (!(await setIssued(deps, trx, { uuid: offered.uuid, drawn, expiresAt })))
      throw new WalletRefusal("invalid_token", "The token was used, or the person withdrew the credential.");
    // Without the brand, because the issuer must not learn that the person took the credential out.
    const by = byPerson(input.requestId);
    const detail = { types: type === null ? [] : [type] };
    await recordAudit(deps, trx, by, { action: "account.tookOut", personUuid: offered.personUuid, detail });
  });
  return copies;
}

type Batch = { drawn: Drawn; keys: readonly HolderKey[]; issuedAt: number; expiresAt: number };

async function copiesOf(deps: Deps, { kind, claims }: Redeemed, batch: Batch): Promise<string[]> {
  const signer = await openSigner(deps);
  const maker = new SDJwtVcInstance({
    signer: (data) => signer.sign(data),
    signAlg: signatureAlgorithm,
    hasher: sha256,
    hashAlg: "sha-256",
    saltGenerator: () => deps.random.bytes(saltBytes).toString("base64url"),
  });
  const uri = statusListOf(deps, batch.drawn.listUuid);
  return await Promise.all(
    batch.drawn.indexes.map((idx, position) => {
      const payload: SdJwtVcPayload = {
        ...claims,
        iss: issuerUrl(deps),
        vct: typeOf(deps, kind),
        iat: batch.issuedAt / 1_000,
        exp: batch.expiresAt / 1_000,
        cnf: { jwk: batch.keys[position] },
        status: { status_list: { idx, uri } },
      };
      return maker.issue(payload, frameOf(claims), { header: { kid: signer.kid } });
    }),
  );
}

/** Makes every value, and every part of one, selectively disclosable. */
function frameOf(claims: Claims): DisclosureFrame<SdJwtVcPayload> {
  const nested = Object.entries(claims).flatMap(([name, value]) =>
    typeof value === "string" ? [] : [[name, { _sd: Object.keys(value) }]],
  );
  return { _sd: Object.keys(claims), ...Object.fromEntries(nested) };
}
