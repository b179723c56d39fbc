import type { Environment } from "@countersign/contract/brand";
import {
  type BrandLine,
  createBrand,
  createKey,
  createProduction,
  duplicateBrand,
  listBrands,
  listKeys,
  patchKey,
  patchSettings,
  readApprovals,
  readBrand,
  readSettings,
  renameBrand,
  requestApproval,
  revokeKey,
  rollKey,
  syncSettings,
} from "@countersign/contract/dashboard-brands";
import type { FastifyInstance } from "fastify";
import { listKeys as keysOf } from "../../domain/brand/api-key-rows.ts";
import { addKey, editKey, revokeKey as revoke, rollKey as roll } from "../../domain/brand/keys.ts";
import { refuse } from "../../domain/failure.ts";
import { recordChange } from "../../domain/member/account-audit-rows.ts";
import { requestApproval as request, viewApprovals } from "../../domain/member/approvals.ts";
import { listBrands as list, rename } from "../../domain/member/brand-list.ts";
import { beginProduction, copyBrand, editSettings, makeBrand, syncSection } from "../../domain/member/brands.ts";
import { viewSettings } from "../../domain/member/settings-view.ts";
import { brandOf, type Desk, mountMember, nameIn, type Visitor } from "./guard.ts";

/** Endpoints for the members' brands. */
export function routesBrands(app: FastifyInstance, desk: Desk): void {
  brandRoutes(app, desk);
  settingsRoutes(app, desk);
  keyRoutes(app, desk);
  approvalRoutes(app, desk);
}

function brandRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts, admins } = desk;
  const { sandbox } = admins;
  const own = async (who: Visitor, uuid: string): Promise<BrandLine> => {
    const found = (await list(accounts, who.member.customerUuid)).find((one) => one.uuid === uuid.toLowerCase());
    if (found === undefined) throw refuse(404, "There is no such brand here.");
    return found;
  };
  mountMember(app, desk, listBrands, async ({ member }) => ({ data: await list(accounts, member.customerUuid) }));
  mountMember(app, desk, createBrand, async (who, { body }) =>
    makeBrand(accounts, sandbox, who, { ...body, name: nameIn(body) }),
  );
  mountMember(app, desk, readBrand, async (who, { params }) => own(who, params.brand));
  mountMember(app, desk, renameBrand, async (who, { params, body }) => {
    const { uuid, name: before } = await own(who, params.brand);
    await rename(accounts, sandbox, who, { uuid, before, name: body.name });
    return {};
  });
  mountMember(app, desk, duplicateBrand, async (who, { params, body }) => {
    const { brand } = await brandOf(desk, who, { ...params, environment: "sandbox" });
    return await copyBrand(accounts, sandbox, who, { from: brand, name: nameIn(body) });
  });
  mountMember(app, desk, createProduction, async (who, { params }) => {
    await beginProduction(accounts, admins, who, params.brand);
    return { version: 1 };
  });
}

function settingsRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts, admins } = desk;
  const view = async (who: Visitor, params: { brand: string; environment: Environment }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    return await viewSettings(accounts, admin, brand);
  };
  mountMember(app, desk, readSettings, async (who, { params }) => view(who, params));
  mountMember(app, desk, patchSettings, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    await editSettings(accounts, admin, who, { brandUuid: brand.uuid, ...body });
    return await view(who, params);
  });
  mountMember(app, desk, syncSettings, async (who, { params, body }) => {
    const target = { brand: params.brand, environment: body.to };
    const { brand } = await brandOf(desk, who, target);
    await syncSection(accounts, admins, who, { brandUuid: brand.uuid, ...body });
    return await view(who, target);
  });
}

function keyRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  mountMember(app, desk, listKeys, async (who, { params }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    return { data: await keysOf(admin.db, admin.environment, brand.uuid), now: admin.clock.now() };
  });
  mountMember(app, desk, createKey, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    if (!brand.approvals.has("production") && admin.environment !== "sandbox")
      throw refuse(403, "Production keys can be created after the operator has approved the brand for production.");
    return await addKey(admin, { brandUuid: brand.uuid, ...body }, (trx) =>
      recordChange(accounts, trx, who, {
        action: "key.created",
        brandUuid: brand.uuid,
        environment: params.environment,
        subject: body.name,
      }),
    );
  });
  mountMember(app, desk, patchKey, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    await editKey(admin, { brandUuid: brand.uuid, keyUuid: params.key, ...body }, (trx, { name, ipRanges }) =>
      recordChange(accounts, trx, who, {
        action: "key.changed",
        brandUuid: brand.uuid,
        environment: params.environment,
        subject: name,
        changes: [
          ...(name === body.name ? [] : [{ path: "name", from: name, to: body.name }]),
          ...(ipRanges.join() === body.ipRanges.join()
            ? []
            : [{ path: "ipRanges", from: ipRanges.join(", "), to: body.ipRanges.join(", ") }]),
        ],
      }),
    );
    return {};
  });
  endRoutes(app, desk);
}

/** The two ways to end a key: roll it or revoke it. */
function endRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  mountMember(app, desk, rollKey, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    return await roll(admin, { brandUuid: brand.uuid, keyUuid: params.key, ...body }, (trx, { name }) =>
      recordChange(accounts, trx, who, {
        action: "key.rolled",
        brandUuid: brand.uuid,
        environment: params.environment,
        subject: name,
        changes: [{ path: "overlapHours", to: String(body.overlapHours) }],
      }),
    );
  });
  mountMember(app, desk, revokeKey, async (who, { params }) => {
    const { brand, admin } = await brandOf(desk, who, params);
    await revoke(admin, { brandUuid: brand.uuid, keyUuid: params.key }, (trx, { name }) =>
      recordChange(accounts, trx, who, {
        action: "key.revoked",
        brandUuid: brand.uuid,
        environment: params.environment,
        subject: name,
      }),
    );
    return {};
  });
}

function approvalRoutes(app: FastifyInstance, desk: Desk): void {
  const { accounts } = desk;
  mountMember(app, desk, readApprovals, async (who, { params }) => {
    const { brand } = await brandOf(desk, who, params);
    const { customerUuid } = who.member;
    return await viewApprovals(accounts, { customerUuid, brandUuid: brand.uuid, environment: params.environment });
  });
  mountMember(app, desk, requestApproval, async (who, { params, body }) => {
    const { brand } = await brandOf(desk, who, { ...params, environment: "sandbox" });
    await request(accounts, who, { brandUuid: brand.uuid, ...body });
    return {};
  });
}
