// Generated from packages/contract: `npm run generate` writes it.

/** Method and path of each endpoint. */
export const endpoints = {
  beginOperatorByOpenId: "POST /api/console/sign-in-openid",
  beginOperatorByPasskey: "POST /api/console/sign-in-passkey",
  beginOperatorPasskey: "POST /api/console/me/passkeys",
  finishOperatorPasskey: "POST /api/console/me/passkeys/:uuid",
  readConsoleMe: "GET /api/console/me",
  signOperatorInByLink: "POST /api/console/sign-in-link",
  signOperatorInByOpenId: "POST /api/console/sign-in-openid/:uuid",
  signOperatorInByPasskey: "POST /api/console/sign-in-passkey/:uuid",
  signOperatorOut: "DELETE /api/console/session",
  answerName: "POST /api/console/approvals/names/:request",
  answerProduction: "POST /api/console/approvals/production/:brand",
  changeAddOn: "POST /api/console/brands/:brand/approvals",
  listWaiting: "GET /api/console/approvals",
  limitBrand: "POST /api/console/brands/:brand/mode",
  listConsoleCustomers: "GET /api/console/customers",
  lookAtBrand: "GET /api/console/brands/:brand",
  deletePersonForSupport: "POST /api/console/people/deletion",
  lookAtPerson: "POST /api/console/people",
  exportConsoleAudit: "POST /api/console/audit-csv",
  searchConsoleAudit: "GET /api/console/audit",
  readConsoleStatus: "GET /api/console/status",
  readConsoleTraffic: "GET /api/console/traffic",
  lookAtStop: "POST /api/console/texts/stop",
  readConsoleTexts: "GET /api/console/texts",
  readVendors: "GET /api/console/vendors",
  readRetention: "GET /api/console/retention",
  beginPasskeyDeletion: "POST /api/console/passkeys/:passkey/proof",
  deleteColleaguePasskey: "POST /api/console/passkeys/:passkey/deletion",
  deleteOwnConsolePasskey: "POST /api/console/me/passkeys/:passkey/deletion",
  listColleagues: "GET /api/console/operators",
  listOwnConsolePasskeys: "GET /api/console/me/passkeys",
};

type Modules = typeof import("@countersign/contract/console") &
  typeof import("@countersign/contract/console-approvals") &
  typeof import("@countersign/contract/console-customers") &
  typeof import("@countersign/contract/console-people") &
  typeof import("@countersign/contract/console-audit") &
  typeof import("@countersign/contract/console-status") &
  typeof import("@countersign/contract/console-texts") &
  typeof import("@countersign/contract/console-vendors") &
  typeof import("@countersign/contract/console-retention") &
  typeof import("@countersign/contract/console-operators");
/** The endpoint values, for their types only. */
export type Endpoints = Pick<Modules, keyof typeof endpoints>;
