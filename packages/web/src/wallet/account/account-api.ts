import type { Output } from "@countersign/contract/endpoint";
import { browserClient, pathOf } from "../../api/client.ts";
import { type Trouble, walletOptions } from "../api.ts";
import { type Endpoints, endpoints } from "./endpoints.ts";

export type Erased = Output<Endpoints["deleteAccount"]>;
export type OfferedItem = Output<Endpoints["readOffer"]>;
export type Offered = Output<Endpoints["takeOut"]>;

/** The calls of the person's own page. A cookie carries the session. */
export const accountApi = browserClient<Endpoints, Trouble>(endpoints, {
  ...walletOptions,
  credentials: "same-origin",
});

export const downloadPath = pathOf(endpoints.downloadAccount);
export const readablePath = "/everything";
export const receiptPath = (uuid: string) => pathOf(endpoints.readReceipt, { uuid });
