import * as contract from "@countersign/contract/console-customers";
import type { FastifyInstance } from "fastify";
import { limitForOperator, listForOperator, lookAtBrand } from "../../domain/operator/customers.ts";
import { type Console, mountStaff } from "./guard.ts";

/** Customers and their brands. */
export function routesCustomers(app: FastifyInstance, console: Console): void {
  const { accounts, admins } = console;
  mountStaff(app, console, contract.listConsoleCustomers, async (_who, { query }) =>
    listForOperator(accounts, admins, query.search ?? ""),
  );
  mountStaff(app, console, contract.lookAtBrand, async (who, { params }) =>
    lookAtBrand(who.acting(), admins, params.brand),
  );
  mountStaff(app, console, contract.limitBrand, async (who, { params, body }) => {
    const { environment, mode, reason } = body;
    await limitForOperator(who.acting(reason), admins[environment], { brandUuid: params.brand, mode });
  });
}
