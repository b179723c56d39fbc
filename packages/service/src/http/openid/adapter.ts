import { isUuid } from "@countersign/contract/primitives";
import Provider, { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import type { HomeDeps } from "../../domain/deps.ts";
import { findReleased } from "../../domain/openid/account.ts";
import {
  consumeArtifact,
  deleteArtifact,
  deleteArtifactsOfGrant,
  findArtifact,
  saveArtifact,
} from "../../domain/openid/openid-artifact-rows.ts";
import { oneClickLifeMs } from "../../domain/signup/one-click.ts";
import { cellAbout } from "../cell.ts";
import { findClient, findClientBrand } from "./clients.ts";

/** Models that give access to a 1-Click. They can only be found while the brand can read that 1-Click. */
const givesAccess = ["Grant", "AuthorizationCode", "AccessToken", "RefreshToken"];

/** The lifetime of an artifact that oidc-provider stores without an expiry. */
const longestSeconds = oneClickLifeMs / 1_000;

/** Stores what oidc-provider issues, and finds its clients. */
export function adapterOf(homeDeps: HomeDeps, options: { placeholderSecret: string }) {
  return (model: string): Adapter => {
    if (model === "Client") return { ...nothing, find: (id) => findClient(homeDeps, id, options) };
    // Each request proves the phone again, so no sign-in session outlives it.
    return model === "Session" ? nothing : stored(homeDeps, model);
  };
}

const nothing: Adapter = {
  async upsert() {},
  async find() {
    return undefined;
  },
  async findByUserCode() {
    return undefined;
  },
  async findByUid() {
    return undefined;
  },
  async consume() {},
  async destroy() {},
  async revokeByGrantId() {},
};

function stored(homeDeps: HomeDeps, model: string): Adapter {
  return {
    ...nothing,
    async upsert(id, payload, expiresInSeconds) {
      await saveArtifact(
        homeDeps,
        { model, id },
        {
          content: payload,
          brandUuid: brandOf(payload),
          oneClickUuid: isUuid(payload.accountId ?? "") ? (payload.accountId ?? null) : null,
          grantId: payload.grantId ?? (model === "Grant" ? id : null),
          expiresInSeconds: expiresInSeconds ?? longestSeconds,
        },
      );
    },
    async find(id) {
      const found = await findArtifact<AdapterPayload>(homeDeps, { model, id });
      if (found === null) return undefined;
      const { content, consumedAt } = found;
      if (givesAccess.includes(model) && !(await isReadable(homeDeps, content))) return undefined;
      return consumedAt === null ? content : { ...content, consumed: consumedAt };
    },
    async consume(id) {
      // Of concurrent calls with one code, one gets tokens.
      if (!(await consumeArtifact(homeDeps, { model, id }))) throw new errors.InvalidGrant("already consumed");
    },
    destroy: (id) => deleteArtifact(homeDeps, { model, id }),
    revokeByGrantId: (grantId) => deleteArtifactsOfGrant(homeDeps, grantId),
  };
}

/** The client of an artifact. Interactions have it in their parameters; pushed requests come from the client itself. */
function brandOf({ clientId, params }: AdapterPayload): string {
  return clientId ?? Provider.ctx?.oidc.client?.clientId ?? String(params?.client_id);
}

async function isReadable(homeDeps: HomeDeps, { accountId, clientId }: AdapterPayload): Promise<boolean> {
  if (accountId === undefined) return false;
  const brand = await findClientBrand(homeDeps, clientId ?? "");
  if (brand === null) return false;
  const deps = await cellAbout(homeDeps, { uuid: accountId });
  return (await findReleased(deps, { brand, apiKeyUuid: null, requestId: "" }, accountId)) !== null;
}
