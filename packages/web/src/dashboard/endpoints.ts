// Generated from packages/contract: `npm run generate` writes it.

/** Method and path of each endpoint. */
export const endpoints = {
  beginMyPasskey: "POST /api/me/passkeys",
  deleteMember: "DELETE /api/members/:uuid",
  deleteMyPasskey: "DELETE /api/me/passkeys/:uuid",
  endMyOtherSessions: "DELETE /api/me/sessions",
  endMySession: "DELETE /api/me/sessions/:uuid",
  finishMyPasskey: "POST /api/me/passkeys/:uuid",
  inviteMember: "POST /api/members",
  inviteMemberAgain: "POST /api/members/:uuid/invitation",
  listMyPasskeys: "GET /api/me/passkeys",
  listMySessions: "GET /api/me/sessions",
  listTeam: "GET /api/members",
  patchCustomer: "PATCH /api/customer",
  patchMe: "PATCH /api/me",
  patchMember: "PATCH /api/members/:uuid",
  readMe: "GET /api/me",
  setPasskeyPolicy: "PUT /api/customer/passkey-policy",
  signOutMember: "DELETE /api/session",
  createBrand: "POST /api/brands",
  createKey: "POST /api/brands/:brand/:environment/keys",
  createProduction: "POST /api/brands/:brand/production",
  duplicateBrand: "POST /api/brands/:brand/duplicate",
  listBrandCalls: "GET /api/brands/calls",
  listBrands: "GET /api/brands",
  listKeys: "GET /api/brands/:brand/:environment/keys",
  patchKey: "PATCH /api/brands/:brand/:environment/keys/:key",
  patchSettings: "PATCH /api/brands/:brand/:environment/settings",
  readApprovals: "GET /api/brands/:brand/:environment/approvals",
  readBrand: "GET /api/brands/:brand",
  readSettings: "GET /api/brands/:brand/:environment/settings",
  renameBrand: "PATCH /api/brands/:brand",
  requestApproval: "POST /api/brands/:brand/approval-request",
  revokeKey: "DELETE /api/brands/:brand/:environment/keys/:key",
  rollKey: "POST /api/brands/:brand/:environment/keys/:key/roll",
  syncSettings: "POST /api/brands/:brand/sync",
  listJourneys: "GET /api/brands/:brand/:environment/journeys",
  readJourney: "GET /api/brands/:brand/:environment/journeys/:uuid",
  deleteLogo: "DELETE /api/brands/:brand/:environment/logo",
  putLogo: "PUT /api/brands/:brand/:environment/logo",
  exportAudit: "GET /api/audit-csv",
  listAudit: "GET /api/audit",
  countLog: "POST /api/brands/:brand/:environment/log/histogram",
  exportUsage: "GET /api/brands/:brand/:environment/usage-csv",
  listLedger: "GET /api/brands/:brand/:environment/ledger",
  readAnalytics: "GET /api/brands/:brand/:environment/analytics",
  readLogLine: "GET /api/brands/:brand/:environment/log/:line",
  readOverview: "GET /api/brands/:brand/:environment/overview",
  readReportLag: "GET /api/report-lag",
  readUsage: "GET /api/brands/:brand/:environment/usage",
  searchLog: "POST /api/brands/:brand/:environment/log",
  searchRulePayers: "GET /api/brands/:brand/:environment/payers",
  tryNetworkRules: "POST /api/brands/:brand/:environment/network-rules/trial",
  listDue: "GET /api/sandbox/clock/due",
  moveDashboardClock: "POST /api/sandbox/clock",
  readDashboardClock: "GET /api/sandbox/clock",
  readOutbox: "GET /api/sandbox/outbox",
  resetDashboardClock: "DELETE /api/sandbox/clock",
  beginMemberSignIn: "POST /api/sign-in",
  beginOpenIdSignIn: "POST /api/sign-in-openid",
  beginPasskeySignIn: "POST /api/sign-in-passkey",
  readSignInLink: "POST /api/sign-in-link/preview",
  signInByCode: "POST /api/sign-in/:uuid/code",
  signInByLink: "POST /api/sign-in-link",
  signInByOpenId: "POST /api/sign-in-openid/:uuid",
  signInByPasskey: "POST /api/sign-in-passkey/:uuid",
  previewRequests: "POST /api/brands/:brand/:environment/preview",
  readStart: "GET /api/brands/:brand/:environment/start",
  createWebhook: "POST /api/brands/:brand/:environment/webhooks",
  deleteWebhook: "DELETE /api/brands/:brand/:environment/webhooks/:webhook",
  listWebhookAttempts: "GET /api/brands/:brand/:environment/webhook-attempts",
  listWebhookDeliveries: "GET /api/brands/:brand/:environment/deliveries",
  listWebhooks: "GET /api/brands/:brand/:environment/webhooks",
  patchWebhook: "PATCH /api/brands/:brand/:environment/webhooks/:webhook",
  readWebhookDelivery: "GET /api/brands/:brand/:environment/deliveries/:delivery",
  replayWebhookDelivery: "POST /api/brands/:brand/:environment/deliveries/:delivery/replay",
  revealWebhookDelivery: "POST /api/brands/:brand/:environment/deliveries/:delivery/reveal",
  rotateWebhookSecret: "POST /api/brands/:brand/:environment/webhooks/:webhook/rotate",
  testWebhook: "POST /api/brands/:brand/:environment/webhooks/:webhook/test",
};

type Modules = typeof import("@countersign/contract/dashboard") &
  typeof import("@countersign/contract/dashboard-brands") &
  typeof import("@countersign/contract/dashboard-journeys") &
  typeof import("@countersign/contract/dashboard-logo") &
  typeof import("@countersign/contract/audit") &
  typeof import("@countersign/contract/dashboard-reporting") &
  typeof import("@countersign/contract/dashboard-rules") &
  typeof import("@countersign/contract/dashboard-sandbox") &
  typeof import("@countersign/contract/dashboard-sign-in") &
  typeof import("@countersign/contract/dashboard-preview") &
  typeof import("@countersign/contract/dashboard-start") &
  typeof import("@countersign/contract/dashboard-webhooks");
/** The endpoint values, for their types only. */
export type Endpoints = Pick<Modules, keyof typeof endpoints>;
