import type { IssuedCredential as WireCredential } from "@countersign/contract/issuance";
import * as contract from "@countersign/contract/issuance";
import { schemaLibrary } from "@countersign/contract/schema-library";
import type { FastifyInstance } from "fastify";
import type { Caller, HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { changeIssued, readIssued } from "../../domain/issuance/change.ts";
import { issueCredentials, requireApproval } from "../../domain/issuance/issue.ts";
import type { IssuedChild, IssuedCredential } from "../../domain/issuance/issued-credential-rows.ts";
import { allPrefixes } from "../generations.ts";
import { type Guard, type Handler, mount } from "../mount.ts";

/** Named schemas never change. A new name may take a day to become visible. */
const libraryCacheSeconds = 24 * 60 * 60;

const expiredWords = "is in the past, so nobody receives the credential. Use Unix milliseconds";
/** Maximum number of expired credentials that one answer names. */
const warningsMax = 10;

/** Issues credentials to a person, and serves the library of types that can be issued. */
export function routesIssuance(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const mounting = { guard: guards.brand, prefixes: allPrefixes, homeDeps };
  const isPast = (date: number | null | undefined) => typeof date === "number" && date <= homeDeps.clock.now();
  const expired = ({ body }: { body: contract.IssuanceRequest }) =>
    body.credentials.flatMap(({ expirationDate }, at) =>
      isPast(expirationDate) ? [`credentials.${at}.expirationDate ${expiredWords}`] : [],
    );
  const issuing: Handler<typeof contract.issueCredentials, Caller> = async (caller, { body }, { deps }) => {
    const { email, phone, trackingId } = body;
    const credentials = await issueCredentials(deps, caller, body);
    return {
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone }),
      ...(trackingId === undefined ? {} : { trackingId }),
      credentials: credentials.map(presentIssued),
    };
  };
  // Bodies may be large, so refuse a brand without the approval before the body is read.
  const approved: Guard<Caller> = async (request, reply) => {
    const caller = await guards.brand(request, reply);
    requireApproval(caller);
    return caller;
  };
  mount(app, contract.issueCredentials, { ...mounting, guard: approved }, issuing, (_caller, input) =>
    expired(input).slice(0, warningsMax),
  );
  mount(
    app,
    contract.readCredential,
    mounting,
    async (caller, { params }, { deps }): Promise<contract.IssuedCredential> =>
      presentIssued(await readIssued(deps, caller, params.id)),
  );
  mount(
    app,
    contract.changeCredential,
    mounting,
    async (caller, { params, body }, { deps }): Promise<contract.IssuedCredential> =>
      presentIssued(await changeIssued(deps, caller, params.id, body)),
    (_caller, { body }) => (isPast(body.expirationDate) ? [`expirationDate ${expiredWords}`] : []),
  );
  libraryRoutes(app, guards.open);
}

function libraryRoutes(app: FastifyInstance, open: Guard<void>): void {
  const guard: Guard<void> = async (request, reply) => {
    await open(request, reply);
    reply.header("cache-control", `public, max-age=${libraryCacheSeconds}`);
  };
  mount(app, contract.readSchemaLibrary, { guard, prefixes: allPrefixes }, async () => schemaLibrary);
  mount(app, contract.readSchema, { guard, prefixes: allPrefixes }, async (_nobody, { params }) => {
    const schema = Object.hasOwn(schemaLibrary, params.type) ? schemaLibrary[params.type] : undefined;
    if (schema === undefined) throw refuse(404, "No such credential type.", { "cache-control": "no-store" });
    return schema;
  });
}

type Dates = Omit<WireCredential, "id" | "type" | "data">;

/** A credential as its issuer sees it. Dates are text, and children repeat the fields of their parent. */
function presentIssued(credential: IssuedCredential): WireCredential {
  const { id, type, data } = credential;
  const dates: Dates = {
    issuanceDate: String(credential.issuedAt),
    expirationDate: credential.expiresAt === null ? null : String(credential.expiresAt),
    status: credential.status,
    issuerUuid: credential.issuerUuid,
    createdAt: String(credential.issuedAt),
    updatedAt: String(credential.updatedAt),
  };
  if ("values" in data) return { id, type, data: data.values, ...dates };
  return { id, type, data: data.children.map((child) => presentChild(child, dates)), ...dates };
}

function presentChild(child: IssuedChild, dates: Dates) {
  const { id, type } = child;
  const data =
    "values" in child
      ? child.values
      : child.children.flatMap((one) =>
          "values" in one ? [{ id: one.id, type: one.type, data: one.values, ...dates }] : [],
        );
  return { id, type, data, ...dates };
}
