// Generated from packages/contract: `npm run generate` writes it.

/** Method and path of each endpoint. */
export const endpoints = {
  callAsBrand: "POST /demo/calls",
  expireStageCode: "POST /demo/expiry",
  listStageTexts: "POST /demo/texts",
};

type Modules = typeof import("@countersign/contract/stage");
/** The endpoint values, for their types only. */
export type Endpoints = Pick<Modules, keyof typeof endpoints>;
