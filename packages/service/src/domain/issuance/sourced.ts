import { type CredentialType, credentialTypes } from "@countersign/contract/credential";
import { type ExpressionBuilder, sql } from "kysely";
import { type Placeholders, statement } from "../../store/statement.ts";
import type { Tables } from "../../store/tables.ts";
import { childTypes } from "../credential/request.ts";
import { dayOf } from "../day.ts";
import type { Deps } from "../deps.ts";
import type { Phone, SourcedCredential } from "../ports.ts";
import { type IssuedData, openIssued } from "./store.ts";

/** Maximum credentials per type and issuer, newest first. A `multi` request shows three; others replace empty ones. */
const perIssuerMax = 10;
/** Maximum bytes decrypted per issuer and lookup, so that an issuer of images cannot slow down a phone's 1-Clicks. */
const perIssuerBytesMax = 16 * 1024 * 1024;

/**
 * Credentials that brands issued to the person who has a phone, newest first. The caller must have proven the phone.
 *
 * A credential counts if it is neither revoked nor expired and the operator approved its issuer. A credential that was
 * issued to an email address alone counts if another counting credential links that address to this phone. Credentials
 * issued to another phone never count, even if they also name a linked email address.
 */
export async function issuedCredentials(
  deps: Deps,
  phone: Phone,
  what: { types: readonly CredentialType[] },
): Promise<SourcedCredential[]> {
  if (what.types.length === 0) return [];
  const { rows } = await countingRows(deps.db, {
    environment: deps.environment,
    now: deps.clock.now(),
    phoneIndex: deps.vault.index("phone", deps.environment, phone),
    types: withHolders(what.types),
  });
  return rows.flatMap((row) => {
    if (row.wrapped === null) return [];
    const data = openIssued(deps, deps.vault.openDataKey(row.data_key_uuid, row.wrapped), row);
    const facts = {
      verificationMethod: null,
      status: row.status,
      issuerUuid: row.brand_uuid,
      issuanceDate: row.issued_at,
      expirationDate: row.expires_at,
    };
    return [sourced({ id: row.uuid, type: row.type, ...data }, facts)];
  });
}

/** The requested types and the composites that can contain them. */
function withHolders(types: readonly CredentialType[]): CredentialType[] {
  const holds = (type: CredentialType): boolean =>
    types.includes(type) || childTypes(type).some((child) => holds(child));
  return credentialTypes.filter(holds);
}

type Issued = ExpressionBuilder<Tables, "issued_credential">;

type Counting = { environment: string; now: number; phoneIndex: Buffer; types: CredentialType[] };

/** Valid, not expired, and from an approved issuer. Links between phones and emails have the same conditions. */
function counts({ environment, now }: Placeholders<Counting>) {
  return ({ and, or, eb, exists, selectFrom }: Issued) =>
    and([
      eb("issued_credential.environment", "=", environment),
      eb("issued_credential.status", "=", "valid"),
      or([eb("issued_credential.expires_at", "is", null), eb("issued_credential.expires_at", ">", now)]),
      exists(
        selectFrom("brand_approval")
          .select("brand_approval.brand_uuid")
          .whereRef("brand_approval.brand_uuid", "=", "issued_credential.brand_uuid")
          .whereRef("brand_approval.environment", "=", "issued_credential.environment")
          .where("brand_approval.approval", "=", "issuance"),
      ),
    ]);
}

const countingRows = statement((db, about: Placeholders<Counting>) => {
  const newest = db
    .selectFrom("person")
    .innerJoin("data_key", "data_key.uuid", "person.data_key_uuid")
    .select(["person.uuid", "wrapped"])
    .where("person.environment", "=", about.environment)
    .where("person.phone_index", "=", about.phoneIndex)
    .orderBy("generation", "desc")
    .limit(1);
  // A deleted person has no readable data.
  const holder = db.selectFrom(newest.as("newest")).select("uuid").where("wrapped", "is not", null);
  const linkedEmails = db
    .selectFrom("issued_credential")
    .select("email_index")
    .where(counts(about))
    .where("person_uuid", "=", holder)
    .where("email_index", "is not", null);
  const ranked = db
    .selectFrom("issued_credential")
    .innerJoin("data_key", "data_key.uuid", "issued_credential.data_key_uuid")
    .select(["issued_credential.uuid", "type", "status", "brand_uuid", "data_key_uuid", "wrapped", "sealed"])
    .select(["issued_at", "issued_credential.expires_at", "issuance", "position"])
    .select([
      sql<number>`row_number() over (partition by type, brand_uuid order by issued_at desc, issuance desc, position)`.as(
        "rank",
      ),
      sql<number>`sum(octet_length(sealed)) over (partition by brand_uuid order by issued_at desc, issuance desc, position)`.as(
        "bytes",
      ),
    ])
    .where(counts(about))
    .where(({ eb, fn }) => eb("type", "=", fn.any(about.types)))
    .where(({ and, or, eb }) =>
      or([eb("person_uuid", "=", holder), and([eb("phone_index", "is", null), eb("email_index", "in", linkedEmails)])]),
    );
  return db
    .selectFrom(ranked.as("ranked"))
    .select(["uuid", "type", "status", "brand_uuid", "data_key_uuid", "wrapped", "sealed", "issued_at", "expires_at"])
    .where("rank", "<=", perIssuerMax)
    .where("bytes", "<=", perIssuerBytesMax)
    .orderBy("issued_at", "desc")
    .orderBy("issuance", "desc")
    .orderBy("position");
});

type Facts = Pick<
  SourcedCredential,
  "verificationMethod" | "status" | "issuerUuid" | "issuanceDate" | "expirationDate"
>;

function sourced(
  { id, type, ...data }: { id: string; type: CredentialType } & IssuedData,
  facts: Facts,
): SourcedCredential {
  if ("children" in data) {
    return { ...facts, id, type, children: data.children.map((child) => sourced(child, facts)) };
  }
  // An atomic type has at most one value. No value counts as empty.
  const value = Object.values(data.values)[0] ?? "";
  // Issued data has dates in milliseconds, but sources write `1989-08-01`.
  return { ...facts, id, type, value: type === "BirthDateCredential" ? dayOf(value) : value };
}
