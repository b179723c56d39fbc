import { limitBrand, listConsoleCustomers } from "@countersign/contract/console-customers";
import type { FastifyInstance } from "fastify";
import { limitForOperator, listForOperator } from "../../domain/operator/customers.ts";
import { type Console, mountStaff } from "./guard.ts";

/** Customers and their brands. */
export function routesCustomers(app: FastifyInstance, console: Console): void {
  const { accounts, admins } = console;
  mountStaff(app, console, listConsoleCustomers, async (_who, { query }) =>
    listForOperator(accounts, admins, query.search ?? ""),
  );
  mountStaff(app, console, limitBrand, async (who, { params, body }) => {
    const { environment, mode, reason } = body;
    await limitForOperator(who.acting(reason), admins[environment], { brandUuid: params.brand, mode });
  });
}
