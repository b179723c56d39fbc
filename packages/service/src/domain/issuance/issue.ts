import type { GivenData, IssuanceConsent } from "@countersign/contract/issuance";
import type { Trx } from "../../store/database.ts";
import { recordAudit } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { invalid, type Problem, refuse } from "../failure.ts";
import { emailIndex, ensureEmailPerson, ensurePerson } from "../person.ts";
import { supportedPhone } from "../phone.ts";
import type { Phone, Random } from "../ports.ts";
import { recordIssuanceConsent, requireConsent } from "./consent.ts";
import { type CredentialData, readCredentialData } from "./credential-data.ts";
import {
  type IssuedChild,
  type IssuedCredential,
  type IssuedData,
  insertIssued,
  type Recipient,
} from "./issued-credential-rows.ts";

/** What a brand wants to issue, to whom, and with which consent. */
export type NewIssuance = {
  email?: string;
  phone?: string;
  credentials: { id?: string; type: string; data: GivenData; expirationDate?: number }[];
  consent?: IssuanceConsent;
};

/** Issued credentials stay until they are revoked, so an unapproved brand must not fill the database. */
export function requireApproval({ brand }: Caller): void {
  if (!brand.approvals.has("issuance")) throw refuse(403, "The brand is not approved for issuance.");
}

/** Issues all requested credentials, or none. */
export async function issueCredentials(deps: Deps, caller: Caller, ask: NewIssuance): Promise<IssuedCredential[]> {
  requireApproval(caller);
  if (ask.email === undefined && ask.phone === undefined) {
    const message = "Send an email, a phone, or both.";
    throw invalid([
      { path: "body.email", message },
      { path: "body.phone", message },
    ]);
  }
  requireConsent(deps, caller, ask.consent);
  const phone = ask.phone === undefined ? null : supportedPhone(deps, ask.phone);
  const read = readAll(deps, caller, ask);
  const ownIds = read.map(({ id }) => id).filter((_, at) => ask.credentials[at]?.id !== undefined);
  // A change finds a credential by its id, so no other cell may have the same id.
  if (await deps.cells.issuedElsewhere(deps, ownIds, caller.brand.uuid)) throw taken();
  return await deps.db.inTransaction(async (trx) => {
    const to = await recipient(deps, trx, { phone, email: ask.email });
    const credentials = read.map((one) => ({ ...one, personUuid: to.person.uuid }));
    const consentUuid = await recordIssuanceConsent(deps, trx, caller, { to, given: ask.consent });
    const stored = await insertIssued(deps, trx, { to, consentUuid, brandUuid: caller.brand.uuid, credentials });
    if (!stored) throw taken();
    await recordAudit(deps, trx, caller, {
      action: "credential.issued",
      personUuid: to.person.uuid,
      detail: {
        types: credentials.map((one) => one.type),
        consent: consentUuid,
        brandName: caller.brand.settings.externalName,
      },
    });
    return credentials;
  });
}

const taken = () => refuse(409, "A credential with one of these ids already exists; nothing was issued.");

function readAll(deps: Deps, caller: Caller, ask: NewIssuance): Omit<IssuedCredential, "personUuid">[] {
  const problems: Problem[] = [];
  const now = deps.clock.now();
  const read = ask.credentials.flatMap((given, index) => {
    const one = readCredentialData(given, `body.credentials.${index}`);
    if (one.kind === "problems") {
      problems.push(...one.problems);
      return [];
    }
    return [
      {
        // Lowercase, because the id is a key and the sealed data is bound to it.
        id: given.id?.toLowerCase() ?? deps.random.uuid(),
        type: one.type,
        data: withIds(deps.random, one.data),
        status: "valid" as const,
        issuerUuid: caller.brand.uuid,
        issuedAt: now,
        updatedAt: now,
        expiresAt: given.expirationDate ?? null,
      },
    ];
  });
  if (problems.length > 0) throw invalid(problems);
  if (new Set(read.map((one) => one.id)).size < read.length) {
    throw refuse(409, "Two credentials in the request have the same id; nothing was issued.");
  }
  return read;
}

/** Gives each child an id. A child type that existed before keeps its id. */
export function withIds(random: Random, data: CredentialData, earlier: IssuedChild[] = []): IssuedData {
  if ("values" in data) return { values: data.values };
  const children = data.children.map((child): IssuedChild => {
    const before = earlier.find((one) => one.type === child.type);
    const within = before !== undefined && "children" in before ? before.children : [];
    return { id: before?.id ?? random.uuid(), type: child.type, ...withIds(random, child, within) };
  });
  return { children };
}

/** The phone's person if a phone is given. An email address given with it is linked to that person. */
async function recipient(
  deps: Deps,
  trx: Trx,
  named: { phone: Phone | null; email: string | undefined },
): Promise<Recipient> {
  const { phone, email } = named;
  const person =
    phone === null ? await ensureEmailPerson(deps, trx, email ?? "") : await ensurePerson(deps, trx, phone);
  return {
    person,
    phoneIndex: phone === null ? null : deps.vault.index("phone", deps.environment, phone),
    emailIndex: email === undefined ? null : emailIndex(deps, email),
    fixed: (phone !== null && deps.phones.isFixed(phone)) || (email !== undefined && deps.phones.isFixedEmail(email)),
  };
}
