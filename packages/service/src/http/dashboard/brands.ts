import { type Environment, environments } from "@countersign/contract/brand";
import * as contract from "@countersign/contract/dashboard-brands";
import type { FastifyInstance } from "fastify";
import { listKeys } from "../../domain/brand/api-key-rows.ts";
import { addKey, editKey, revokeKey, rollKey } from "../../domain/brand/keys.ts";
import { changeSettings } from "../../domain/brand/manage.ts";
import { refuse } from "../../domain/failure.ts";
import { requestApproval, viewApprovals } from "../../domain/member/approvals.ts";
import { listBrands, rename } from "../../domain/member/brand-list.ts";
import { beginProduction, copyBrand, makeBrand, syncSection } from "../../domain/member/brands.ts";
import { withMakers } from "../../domain/member/key-makers.ts";
import { viewSettings } from "../../domain/member/settings-view.ts";
import { readBrandCalls } from "../../domain/reporting/overview.ts";
import { brandOf, type Dashboard, mountMember, nameIn, type Visitor } from "./guard.ts";

/** Endpoints for the members' brands. */
export function routesBrands(app: FastifyInstance, dashboard: Dashboard): void {
  brandRoutes(app, dashboard);
  settingsRoutes(app, dashboard);
  keyRoutes(app, dashboard);
  approvalRoutes(app, dashboard);
}

function brandRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts, admins } = dashboard;
  const { sandbox } = admins;
  const own = async (who: Visitor, uuid: string): Promise<contract.BrandLine> => {
    const found = (await listBrands(accounts, who.member.customerUuid)).find((one) => one.uuid === uuid.toLowerCase());
    if (found === undefined) throw refuse(404, "No such brand.");
    return found;
  };
  mountMember(app, dashboard, contract.listBrands, async ({ member }) => ({
    data: await listBrands(accounts, member.customerUuid),
  }));
  mountMember(app, dashboard, contract.listBrandCalls, async ({ member }) => {
    const brands = (await listBrands(accounts, member.customerUuid)).map(({ uuid }) => uuid);
    const { home, vault } = accounts;
    const lists = await Promise.all(
      environments.map(async (environment) => {
        const { clock } = admins[environment];
        const found = await readBrandCalls(
          { environment, home, vault, clock, cells: dashboard.reports.cells() },
          brands,
        );
        return found.map((calls) => ({ ...calls, environment }));
      }),
    );
    return { data: lists.flat() };
  });
  mountMember(app, dashboard, contract.createBrand, async (who, { body }) =>
    makeBrand(sandbox, who, { ...body, name: nameIn(body) }),
  );
  mountMember(app, dashboard, contract.readBrand, async (who, { params }) => own(who, params.brand));
  mountMember(app, dashboard, contract.renameBrand, async (who, { params, body }) => {
    const { uuid, name: before } = await own(who, params.brand);
    await rename(accounts, sandbox, who, { uuid, before, name: body.name });
  });
  mountMember(app, dashboard, contract.duplicateBrand, async (who, { params, body }) => {
    const { brand } = await brandOf(dashboard, who, { ...params, environment: "sandbox" });
    return await copyBrand(sandbox, who, { from: brand, name: nameIn(body) });
  });
  mountMember(app, dashboard, contract.createProduction, async (who, { params, body }) => {
    await beginProduction(accounts, admins, who, { brandUuid: params.brand, ...body });
    return { version: 1 };
  });
}

function settingsRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts, admins } = dashboard;
  const view = async (who: Visitor, params: { brand: string; environment: Environment }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    return await viewSettings(accounts, admin, who.member, brand);
  };
  mountMember(app, dashboard, contract.readSettings, async (who, { params }) => view(who, params));
  mountMember(app, dashboard, contract.patchSettings, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    await changeSettings(admin, brand.uuid, body.patch, { by: who, read: body.version });
    return await view(who, params);
  });
  mountMember(app, dashboard, contract.syncSettings, async (who, { params, body }) => {
    const target = { brand: params.brand, environment: body.to };
    const { brand } = await brandOf(dashboard, who, target);
    await syncSection(admins, who, { ...body, brandUuid: brand.uuid });
    return await view(who, target);
  });
}

function keyRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  mountMember(app, dashboard, contract.listKeys, async (who, { params }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    const { home, environment, clock } = admin;
    const now = clock.now();
    const keys = await listKeys(home, environment, brand.uuid, now);
    return { data: await withMakers(dashboard.accounts, who.member.customerUuid, keys), now };
  });
  mountMember(app, dashboard, contract.createKey, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    if (!brand.approvals.has("production"))
      throw refuse(403, "Production keys can be created after the operator has approved the brand for production.");
    return await addKey(admin, { ...body, brandUuid: brand.uuid }, who);
  });
  mountMember(app, dashboard, contract.patchKey, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    await editKey(admin, { ...body, brandUuid: brand.uuid, keyUuid: params.key }, who);
  });
  mountMember(app, dashboard, contract.rollKey, async (who, { params, body }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    return await rollKey(admin, { ...body, brandUuid: brand.uuid, keyUuid: params.key }, who);
  });
  mountMember(app, dashboard, contract.revokeKey, async (who, { params }) => {
    const { brand, admin } = await brandOf(dashboard, who, params);
    await revokeKey(admin, { brandUuid: brand.uuid, keyUuid: params.key }, who);
  });
}

function approvalRoutes(app: FastifyInstance, dashboard: Dashboard): void {
  const { accounts } = dashboard;
  mountMember(app, dashboard, contract.readApprovals, async (who, { params }) => {
    const { brand } = await brandOf(dashboard, who, params);
    const { customerUuid } = who.member;
    return await viewApprovals(accounts, { customerUuid, brandUuid: brand.uuid, environment: params.environment });
  });
  mountMember(app, dashboard, contract.requestApproval, async (who, { params, body }) => {
    const { brand } = await brandOf(dashboard, who, { ...params, environment: "sandbox" });
    await requestApproval(accounts, who, { ...body, brandUuid: brand.uuid });
  });
}
