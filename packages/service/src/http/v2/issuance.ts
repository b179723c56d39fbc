import * as contract from "@countersign/contract/issuance";
import { schemaLibrary } from "@countersign/contract/schema-library";
import type { FastifyInstance } from "fastify";
import type { Caller, Deps, HomeDeps } from "../../domain/deps.ts";
import { refuse } from "../../domain/failure.ts";
import { changeIssued, readIssued } from "../../domain/issuance/change.ts";
import { issueCredentials } from "../../domain/issuance/issue.ts";
import { emailIndex } from "../../domain/person.ts";
import { cellOf } from "../cell.ts";
import { type Guard, type Handler, mount } from "../mount.ts";
import { allPrefixes } from "./prefixes.ts";
import { presentIssued } from "./present-issued.ts";

/** Named schemas never change. A new name may take a day to become visible. */
const libraryCacheSeconds = 24 * 60 * 60;

const expiredWords = "is in the past, so nobody receives the credential. Use Unix milliseconds";
/** Maximum number of expired credentials that one answer names. */
const warningsMax = 10;

/** The recipient's cell. A person with only an email address is in the cell of that address. */
async function recipientCell(homeDeps: HomeDeps, { phone, email }: { phone?: string; email?: string }): Promise<Deps> {
  if (phone !== undefined || email === undefined) return await cellOf(homeDeps, { phone });
  return await homeDeps.cells.ofEmail(emailIndex(homeDeps, email));
}

/** Issues credentials to a person, and serves the library of types that can be issued. */
export function routesIssuance(
  app: FastifyInstance,
  homeDeps: HomeDeps,
  guards: { brand: Guard<Caller>; open: Guard<void> },
): void {
  const mounting = { guard: guards.brand, prefixes: allPrefixes };
  const isPast = (date: number | null | undefined) => typeof date === "number" && date <= homeDeps.clock.now();
  const expired = ({ body }: { body: contract.IssuanceRequest }) =>
    body.credentials.flatMap(({ expirationDate }, at) =>
      isPast(expirationDate) ? [`credentials.${at}.expirationDate ${expiredWords}`] : [],
    );
  const issuing: Handler<typeof contract.issueCredentials, Caller> = async (caller, { body }) => {
    const { email, phone, trackingId } = body;
    const credentials = await issueCredentials(await recipientCell(homeDeps, body), caller, body);
    return {
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone }),
      ...(trackingId === undefined ? {} : { trackingId }),
      credentials: credentials.map(presentIssued),
    };
  };
  mount(app, contract.issueCredentials, mounting, issuing, (_caller, input) => expired(input).slice(0, warningsMax));
  mount(
    app,
    contract.readCredential,
    mounting,
    async (caller, { params }): Promise<contract.IssuedCredential> =>
      presentIssued(await readIssued(await homeDeps.cells.ofIssued(params.id, caller.brand.uuid), caller, params.id)),
  );
  mount(
    app,
    contract.changeCredential,
    mounting,
    async (caller, { params, body }): Promise<contract.IssuedCredential> =>
      presentIssued(
        await changeIssued(await homeDeps.cells.ofIssued(params.id, caller.brand.uuid), caller, params.id, body),
      ),
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
